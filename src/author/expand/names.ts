/**
 * Names that children of a world are peopled with: persons in eight scripts, companies, products, places, words.
 *
 * Every name that is not Latin has a spelling in Latin letters beside it, from which logins and addresses are made.
 * Common given and family names of each language, put together at will; no real person is meant. Domains end in
 * `.example`, which never exists (RFC 2606).
 */
import type { JsonObject, RandomStream } from '../../core/index.js';

/** `name` or `name=latin spelling`, separated by blanks. */
interface Names {
  readonly first: readonly string[];
  readonly last: readonly string[];
  /** What stands between given and family name, and whether the family name comes first. */
  readonly join: string;
  readonly lastFirst?: true;
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Person names by script. */
const PERSONS: Readonly<Record<string, Names>> = {
  latin: {
    first:
      words(`Ada Anouk Beatriz Björn Chiara Clémence Dagny Dilan Eirik Elif Emeka Fatou Florin Freya Gabriel
      Greta Hanne Henrik Ilse Imani Ines Jakub João Jonas Katarzyna Kerem Klára Lars Leonor Lina Lucía Łukasz Mads
      Marit Mateus Mireille Nadia Noémie Nuno Odile Ola Oriol Paulina Pilar Priya Rafael Ragnhild Renata Runa Sanne
      Selma Siobhán Solveig Søren Tamás Thabo Tomasz Ulrike Uma Valéria Vigdís Wanda Wiebke Ximena Yara Yusuf Zoé
      Zuzana`),
    last: words(`Aasen Abreu Adeyemi Almqvist Andrić Barbosa Bellini Berntsen Bianchi Bouchard Brandt Calvo Carvalho
      Castellanos Çelik Dahlgren Delacroix Demir Dubois Eklund Eriksen Esposito Falk Ferreira Fischer Fontaine
      Gallo Gómez Grønlund Haugen Hofmann Horváth Ibáñez Iversen Jankowski Jansen Kaya Keller Kowalska Krüger
      Lefèvre Lindqvist Lombardi Lysenko Maes Marchetti Mbeki Moreau Müller Nakamura Navarro Nilsen Nowak Núñez
      O'Connell Okafor Olsen Öztürk Peeters Pereira Petrović Quintero Rasmussen Ribeiro Ricci Rojas Rossi Sandoval
      Santos Schäfer Silva Sørensen Szabó Takács Tanaka Torres Van-der-Berg Vasquez Vogel Weber Wójcik Yılmaz
      Zając Zimmermann`),
    join: ' ',
  },
  cyrillic: {
    first:
      words(`Анна=Anna Борис=Boris Вера=Vera Галина=Galina Дмитрий=Dmitri Елена=Elena Иван=Ivan Кирилл=Kirill
      Лариса=Larisa Максим=Maksim Надежда=Nadezhda Олег=Oleg Полина=Polina Роман=Roman Светлана=Svetlana
      Тимур=Timur`),
    last: words(`Алексеенко=Alekseenko Бондарь=Bondar Волкович=Volkovich Гончар=Gonchar Доброва=Dobrova
      Жукович=Zhukovich Зимин=Zimin Коваль=Koval Лебедь=Lebed Мороз=Moroz Орлович=Orlovich Савченко=Savchenko
      Ткачук=Tkachuk Шевчук=Shevchuk`),
    join: ' ',
  },
  greek: {
    first:
      words(`Αθηνά=Athina Γιώργος=Giorgos Δήμητρα=Dimitra Ελένη=Eleni Ιωάννα=Ioanna Κώστας=Kostas Μαρία=Maria
      Νίκος=Nikos Σοφία=Sofia Χρήστος=Christos`),
    last: words(`Αγγελόπουλος=Angelopoulos Βλάχου=Vlachou Δημητρίου=Dimitriou Ιωαννίδης=Ioannidis
      Καραγιάννη=Karagianni Λάμπρου=Lambrou Νικολάου=Nikolaou Παππάς=Pappas Στεφάνου=Stefanou`),
    join: ' ',
  },
  han: {
    first: words(`伟=Wei 芳=Fang 秀英=Xiuying 敏=Min 静=Jing 丽=Li 强=Qiang 磊=Lei 洋=Yang 艳=Yan 志明=Zhiming
      晓东=Xiaodong`),
    last: words(`王=Wang 李=Li 张=Zhang 刘=Liu 陈=Chen 杨=Yang 赵=Zhao 黄=Huang 周=Zhou 吴=Wu 徐=Xu 孙=Sun`),
    join: '',
    lastFirst: true,
  },
  kana: {
    first: words(`さくら=Sakura ひろし=Hiroshi あおい=Aoi ケンジ=Kenji みどり=Midori ゆうき=Yuki ハルカ=Haruka
      たけし=Takeshi`),
    last: words(`佐藤=Sato 鈴木=Suzuki 高橋=Takahashi 渡辺=Watanabe 伊藤=Ito 山本=Yamamoto 小林=Kobayashi
      加藤=Kato`),
    join: ' ',
    lastFirst: true,
  },
  hangul: {
    first: words(
      `민준=Minjun 서연=Seoyeon 지우=Jiwoo 하은=Haeun 도윤=Doyun 수빈=Subin 예준=Yejun 유진=Yujin`,
    ),
    last: words(`김=Kim 이=Lee 박=Park 최=Choi 정=Jung 강=Kang 조=Cho 윤=Yoon 장=Jang 임=Lim`),
    join: '',
    lastFirst: true,
  },
  arabic: {
    first: words(`ليلى=Layla عمر=Omar نورة=Noura خالد=Khalid سلمى=Salma يوسف=Yousef هند=Hind طارق=Tariq`),
    last: words(`حداد=Haddad منصور=Mansour نجار=Najjar سالم=Salem خوري=Khoury درويش=Darwish زيدان=Zidan`),
    join: ' ',
  },
  devanagari: {
    first: words(`अनिता=Anita अर्जुन=Arjun काव्या=Kavya नेहा=Neha राहुल=Rahul सुनील=Sunil मीरा=Mira विक्रम=Vikram`),
    last: words(`शर्मा=Sharma वर्मा=Verma पटेल=Patel गुप्ता=Gupta जोशी=Joshi नायर=Nair मेहता=Mehta`),
    join: ' ',
  },
};

const COMPANY_HEADS =
  words(`Alder Amber Arbor Aster Basalt Beacon Birch Bramble Cedar Cobalt Copper Coral Delta Ember
  Fathom Fjord Flint Garnet Granite Harbor Hazel Heron Indigo Iris Juniper Kestrel Lantern Larch Linden Lumen Maple
  Marble Meridian Nimbus Nordlys Ochre Onyx Opal Orchard Osprey Pebble Pine Quarry Quill Raven Ridge Sable Saffron
  Slate Sorrel Spruce Summit Tamarind Teal Thistle Tidal Umber Verdant Vireo Willow Wren Yarrow Zephyr`);
const COMPANY_TAILS =
  words(`Analytics Bakery Bearings Books Builders Catering Ceramics Consulting Couriers Dental
  Design Electric Energy Fabrics Freight Furniture Glassworks Hosting Instruments Insurance Kitchens Labs Lighting
  Logistics Machining Marine Media Metals Office Optics Paper Partners Plastics Print Robotics Roofing Seeds Software
  Supplies Systems Textiles Tools Travel Ventilation Wholesale`);
const COMPANY_FORMS = words('AB AS GmbH Inc. Ltd. BV Oy SA SpA');
const PRODUCT_HEADS =
  words(`Oak Ash Walnut Linen Wool Cotton Steel Copper Glass Ceramic Rattan Bamboo Cork Slate
  Brass Felt Leather Marble Enamel Jute`);
const PRODUCT_TAILS =
  words(`stool bench lamp vase tray kettle blanket rug mirror clock basket pillow shelf planter
  teapot bowl candleholder cabinet desk hook`);
const PLACES =
  words(`Aarhus Almería Bergen Bilbao Braga Brno Cork Debrecen Delft Drammen Funchal Gdynia Ghent Graz
  Izmir Jena Jönköping Kaunas Košice Kraków Leeds Lecce Linz Lugano Malmö Maribor Namur Nantes Odense Oulu Palermo
  Plovdiv Porto Reykjavík Rijeka Rouen Sibiu Split Tampere Tartu Trieste Turku Umeå Utrecht Vaasa Varna Wrocław Zadar`);
const WORDS =
  words(`anchor archive autumn badge ballot banner barrel beacon blanket bridge bundle cabin canvas carbon
  cargo castle cellar chapel circuit citrus cluster compass copper corner cotton courier cradle crystal dancer desert
  engine falcon feather fiber forest fossil galaxy garden ginger glacier gravel hammer harvest helmet hollow horizon
  island jacket jigsaw kernel ladder lagoon lantern legend lemon lever marble market meadow mirror mosaic nectar
  needle oasis olive orbit orchid oyster packet paddle parcel pepper pilot planet pocket prairie prism quartz rabbit
  ribbon river saddle salmon shadow signal silver sparrow spiral stable summer tailor temple thread timber tunnel
  valley velvet violet voyage walnut window winter zenith`);

/** The scripts there are. */
const SCRIPTS: readonly string[] = Object.keys(PERSONS);

/** A person: `name`, `first`, `last`, `login` and `email` (both ASCII). Half of all are Latin, else any script. */
export function drawPerson(stream: RandomStream, scripts?: readonly string[]): JsonObject {
  const among = scripts ?? (stream.chance(0.5) ? ['latin'] : SCRIPTS);
  const names = PERSONS[stream.pick(among)] ?? (PERSONS.latin as Names);
  const first = split(stream.pick(names.first));
  const last = split(stream.pick(names.last));
  const parts = names.lastFirst ? [last.own, first.own] : [first.own, last.own];
  const login = `${ascii(first.latin)}.${ascii(last.latin)}`;
  const domain = `${stream.pick(WORDS)}.example`;
  return {
    name: parts.join(names.join),
    first: first.own,
    last: last.own,
    login,
    email: `${login}@${domain}`,
  };
}

/** A company: `name`, `short` (without its legal form) and `domain`. */
export function drawCompany(stream: RandomStream): JsonObject {
  const [head, tail] = [stream.pick(COMPANY_HEADS), stream.pick(COMPANY_TAILS)];
  const short = `${head} ${tail}`;
  return {
    name: `${short} ${stream.pick(COMPANY_FORMS)}`,
    short,
    domain: `${head.toLowerCase()}-${tail.toLowerCase()}.example`,
  };
}

/** A product, a place, or a word. */
export function drawWord(stream: RandomStream, kind: 'product' | 'place' | 'word'): string {
  if (kind === 'product') return `${stream.pick(PRODUCT_HEADS)} ${stream.pick(PRODUCT_TAILS)}`;
  return stream.pick(kind === 'place' ? PLACES : WORDS);
}

function split(entry: string): { own: string; latin: string } {
  const [own = '', latin = own] = entry.split('=');
  return { own: own.replaceAll('-', ' '), latin };
}

const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ø', 'o'],
  ['ł', 'l'],
  ['ı', 'i'],
  ['ß', 'ss'],
  ['æ', 'ae'],
]);

/** Lower-case letters a–z of a Latin name. */
function ascii(name: string): string {
  const plain = [...name.toLowerCase()].map((letter) => LETTERS.get(letter) ?? letter).join('');
  return plain.normalize('NFD').replace(/[^a-z]/g, '');
}
