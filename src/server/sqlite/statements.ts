/** Every statement that the store runs, prepared once; values are always bound, never written into the text. */
import type Sqlite from 'better-sqlite3';

type StatementName =
  | 'addWorld'
  | 'hasWorld'
  | 'world'
  | 'dropWorld'
  | 'addEpisode'
  | 'episode'
  | 'episodeKey'
  | 'dropEpisode'
  | 'head'
  | 'addEvent'
  | 'events'
  | 'dropEvents'
  | 'keepSnapshot'
  | 'snapshot'
  | 'dropSnapshot'
  | 'count'
  | 'list'
  | 'old';

/** The statements by what they do. */
export type Statements = Readonly<Record<StatementName, Sqlite.Statement>>;

/** Prepares them on an open database whose tables are there. */
export function prepareStatements(database: Sqlite.Database): Statements {
  const sql = (text: string): Sqlite.Statement => database.prepare(text);
  return {
    addWorld: sql('INSERT INTO world (hash, name, text) VALUES (?, ?, ?)'),
    hasWorld: sql('SELECT 1 FROM world WHERE hash = ?'),
    world: sql('SELECT hash, name, text FROM world WHERE hash = ?'),
    dropWorld: sql('DELETE FROM world WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM episode WHERE world = ?)'),
    addEpisode: sql('INSERT INTO episode (id, world, body, created_at) VALUES (?, ?, ?, ?)'),
    episode: sql('SELECT body FROM episode WHERE id = ?'),
    episodeKey: sql('SELECT n, world FROM episode WHERE id = ?'),
    dropEpisode: sql('DELETE FROM episode WHERE n = ?'),
    head: sql(
      'SELECT n, coalesce((SELECT max(turn) FROM event WHERE event.episode = episode.n), 0) AS turns FROM episode WHERE id = ?',
    ),
    addEvent: sql(
      'INSERT INTO event (episode, turn, request_id, recorded_at, done, body) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    events: sql(
      'SELECT turn, request_id, recorded_at, body FROM event WHERE episode = ? AND turn > ? ORDER BY turn LIMIT ?',
    ),
    dropEvents: sql('DELETE FROM event WHERE episode = ?'),
    keepSnapshot: sql(
      'INSERT INTO snapshot (episode, turns, bytes) VALUES (?, ?, ?) ON CONFLICT (episode) DO UPDATE SET turns = excluded.turns, bytes = excluded.bytes',
    ),
    snapshot: sql('SELECT turns, bytes FROM snapshot WHERE episode = ?'),
    dropSnapshot: sql('DELETE FROM snapshot WHERE episode = ?'),
    count: sql('SELECT count(*) AS count FROM episode'),
    list: sql(
      `SELECT episode.id AS id, json_extract(episode.body, '$.world.name') AS name,
        coalesce(last.turn, 0) AS turns, coalesce(last.done, 0) AS done,
        coalesce(last.recorded_at, episode.created_at) AS changed_at
      FROM episode LEFT JOIN event AS last ON last.episode = episode.n
        AND last.turn = (SELECT max(turn) FROM event WHERE event.episode = episode.n)
      WHERE episode.n > ? ORDER BY episode.n LIMIT ?`,
    ),
    old: sql(
      `SELECT id FROM episode WHERE coalesce((SELECT recorded_at FROM event WHERE event.episode = episode.n
        ORDER BY turn DESC LIMIT 1), created_at) < ? ORDER BY n`,
    ),
  };
}
