/**
 * Which characters make words: a frozen table, so that counts do not depend on the Unicode version of a Node.js.
 *
 * Made by `scripts/unicode-classes.mjs` from Unicode 17.0; do not edit. Each item is
 * `GAP.LENGTHk` in base 36: how far the range begins after the end of the one before, how many characters follow its
 * first, and its kind: `w` part of a word (letters, marks, numbers, underscore), `u` a letter or mark of a script
 * written without spaces, `p` a picture (emoji).
 */

/** The Unicode version of the table. */
export const UNICODE_VERSION = '17.0';

/** The ranges in order; see above for how to read them. */
export const UNICODE_RANGES: readonly string[] = [
  '1c.9w 8.pw 5.w 2.pw 1b.p 1.w 4.p 4.1w 2.w 4.1w 2.2w 2.mw 2.uw 2.cpw 5.bw f.4w 8.w 2.w i.38w 2.1w 3.3w',
  '2.w 7.w 2.2w 2.w 2.jw 2.2aw 2.3uw 2.4sw 2.11w 3.w 7.14w 9.18w 2.w 2.1w 2.1w 2.w 9.qw 5.3w u.aw 6.21w',
  '5.2tw 2.7w 3.9w 2.iw 3.w h.1mw 3.2sw f.1hw 5.w 3.w 3.19w j.rw 5.aw 6.nw 2.6w 8.22w 2.3kw 3.9w 2.iw 2.7w',
  '3.1w 3.lw 2.6w 2.w 4.3w 3.8w 3.1w 3.3w 9.w 5.1w 2.4w 3.bw 3.5w 3.w 2.w 3.2w 2.5w 5.1w 3.lw 2.6w 2.1w',
  '2.1w 2.1w 3.w 2.4w 5.1w 3.2w 4.w 8.3w 2.w 8.fw c.2w 2.8w 2.2w 2.lw 2.6w 2.1w 2.4w 3.9w 2.2w 2.2w 3.w',
  'g.3w 3.9w a.6w 2.2w 2.7w 3.1w 3.lw 2.6w 2.1w 2.4w 3.8w 3.1w 3.2w 8.2w 5.1w 2.4w 3.9w 2.6w b.1w 2.5w 4.2w',
  '2.3w 4.1w 2.w 2.1w 4.1w 4.2w 4.bw 5.4w 4.2w 2.3w 3.w 7.w f.cw e.cw 2.2w 2.mw 2.fw 3.8w 2.2w 2.3w 8.1w',
  '2.2w 2.1w 3.3w 3.9w 9.6w 2.3w 2.7w 2.2w 2.mw 2.9w 2.4w 3.8w 2.2w 2.3w 8.1w 6.2w 2.3w 3.9w 2.2w d.cw 2.2w',
  '2.1ew 2.2w 2.4w 6.fw 3.iw 2.5w 2.2w 2.hw 4.nw 2.8w 2.w 3.6w 4.w 5.5w 2.w 2.7w 7.9w 3.1w e.1lu 6.eu 2.9w',
  '14.1u 2.u 2.4u 2.nu 2.u 2.mu 3.4u 2.u 2.6u 2.9w 3.3u x.w o.1w 7.jw 2.w 2.w 2.w 5.9w 2.zw 5.jw 2.hw 2.zw',
  'a.w 1m.1ru 1.9w 7.1ru 1.9w 1.3u 3.11w 2.w 6.w 3.16w 2.98w 2.3w 3.6w 2.w 2.3w 3.14w 2.3w 3.ww 2.3w 3.6w',
  '2.w 2.3w 3.ew 2.1kw 2.3w 3.1uw 3.2w a.jw 4.fw h.2dw 3.5w 4.h7w 3.gw 2.pw 6.22w 4.aw 8.lw a.lw c.jw d.cw',
  '2.2w 2.1w d.2bu 4.u 5.1u 3.9w 7.9w i.2w 2.aw 7.2gw 8.16w 6.1xw b.uw 2.bw 5.bw b.9w 1.tu 3.4u c.17u 5.pu',
  '7.aw 12.rw 5.1qu 2.su 3.u 1.9w 7.9w e.u 9.19w 3.bw l.24u 4.9w i.8u d.37w d.1jw 9.9w 4.1cw 3.aw 6.16w',
  '3.2w h.2w 2.12w 6.etw 3.5w 3.11w 3.5w 3.7w 2.w 2.w 2.w 2.uw 3.1gw 2.6w 2.w 4.2w 2.6w 4.3w 3.5w 5.cw 6.2w',
  '2.6w 1s.p d.p 13.1w 3.5w 6.aw 7.cw 1g.ww i.w 5.w 3.9w 2.w 4.4w 5.p 2.w 2.w 2.w 2.3w 2.aw 3.3w 6.4w 5.w',
  '2.1lw b.5p g.1p a8.1p d.p 4n.p q.ap 5.2p 2u.1nw 13.p 14.lw 4r.1p b.p a.p 1n.3p 2.4p a.p 3.p 3.1p 3.p 5.p',
  '3.p 2.1p 3.p 4.p 4.1p 9.2p 6.p 2.p 6.bp c.1p 3.p 2.1p 2.p j.p 3.1p j.5p 2.p 2.1p 4.1p 6.p 3.1p 5.1p c.1p',
  '6.1p 3.p 6.1p 2.p 2.1p l.1p 6.5p 2.3p 3.p 5.p 3.p 3.5p 2.p 3.p 2.p 2.p 7.p 4.p 7.p b.1p g.p 3.p 5.p 2.p',
  '5.2p 2.p c.1p i.tw 2.2p a.p f.p f.p ad.1p cw.2p k.1p 1g.p 5.p 4r.6cw 7.8w a.w 3.11w 2.w 6.w 3.1jw 8.w',
  'g.nw a.6w 2.6w 2.6w 2.6w 2.6w 2.6w 2.6w 2.6w 2.vw 1c.w d2.u 1.1w q.ew 1.p 1.4w 3.2w 1.u 1.w 1.p 4.2du',
  '3.1w 3.2u 2.2hu 2.3u 6.16u 2.2lw 4.3w b.vu 1d.fu x.9w v.7w 2.ew x.9w e.p 2.p o.ew 8x.533u 1t.h3gu 1w.19w',
  '3.7gw 4.rw l.1ew 2.9w 2.36w 12.8w 3.2uw 3.29w l.1iw 5.w 4.5w b.1fw d.1xw b.9w 7.nw 4.w 2.1cw 3.zw d.sw',
  '4.1su f.aw 7.fu 1.9w 1.4u 2.1iw a.dw 3.9w 7.mu 4.20u p.2u 3.fw 3.4w b.5w 3.5w 3.5w a.6w 2.6w 2.16w 2.dw',
  '7.3ew 2.1w 3.9w 7.8mbw d.mw 5.1cw 6it.a5u 3.2xu 13.6w d.4w 6.bw 2.cw 2.4w 2.w 2.1w 2.1w 2.2zw y.a2w',
  'j.1rw 3.1hw 15.bw 5.fw h.fw 1t.4w 2.3qw k.9w 8.pw 7.pw c.1lu 1.uw 4.5w 3.5w 3.5w 3.2w 10.bw 2.pw 2.iw',
  '2.1w 2.ew 3.dw z.3ew d.18w d.1kw i.1w 36.w 3n.sw 4.1cw g.rw 5.zw a.tw 6.16w 6.tw 3.zw 5.7w 2.4w 17.4dw',
  '3.9w 7.zw 5.zw 5.13w 9.1fw d.aw 2.ew 2.6w 2.1w 2.aw 2.ew 2.6w 2.1w 4.1fw d.8mw a.lw b.7w p.5w 2.15w 2.8w',
  '1y.5w 3.w 2.17w 2.1w 4.w 3.mw 3.uw 3.11w 9.8w 1d.iw 2.1w 6.ww 5.pw 7.pw 13.1jw 5.jw 3.1dw 2.1w 6.7w 2.2w',
  '2.sw 3.2w 5.9w o.uw 2.vw x.7w 2.tw 5.4w h.1hw b.lw 3.qw 6.pw o.6w 29.20w 1k.1ew e.1ew 8.19w 9.9w 7.11w',
  '4.4w 2.mw 63.uw 2.15w 2.1w 4.1w h.5w 1f.19w 9.10w s.lw 17.rw l.mw a.1yw c.zw a.1nw 8.w e.ow 8.9w 7.1gw',
  '2.9w 5.3w 9.zw 3.w a.1ww 5.3w 2.cw 2.w 5.jw c.hw 2.10w 7.3w 1r.6w 2.w 2.3w 2.ew 2.9w 8.1mw 6.9w 7.3w',
  '2.7w 3.1w 3.lw 2.6w 2.1w 2.4w 2.9w 3.1w 3.2w 3.w 7.w 6.6w 3.6w 4.4w c.9w 2.w 3.w 2.11w 2.9w 2.w 3.w 2.3w',
  '2.7w e.1w u.22w 6.9w 5.3w v.1xw 2.w 9.9w 4n.1hw 3.8w o.5w z.1sw 4.w c.9w 13.1kw 8.9w 7.jw t.qw 3.ew 5.bw',
  '5.6w 56.1mw 2u.2aw d.7w 3.w 3.7w 2.1w 2.tw 2.1w 3.8w d.9w 1z.7w 3.19w 3.7w 2.1w s.1qw 9.w 9.21w 4.w',
  'j.20w 2w.7w 2h.ww g.9w 7.8w 2.18w 2.8w g.sw 6.tw 3.lw 2.dw 22.6w 2.1w 2.17w 4.w 2.1w 2.8w 9.9w 7.5w 2.1w',
  '2.10w 2.1w 2.5w 8.9w 7.17w 5.9w 6v.mw a.gw 2.14w 4.4w e.aw 2e.w g.kw 18.plw 2v.32w i.5fw 219.2ow g.trw',
  'h.lw b.32yw 6.g6w 5a2.1lw 1c7.fsw 8.uw 2.9w 7.26w 2.9w 7.tw 3.4w c.1iw a.3w d.9w 2.6w 2.kw 6.iw c1.18w',
  '4.9w 5j.2ew a.ow 3.ow 19.22w 5.1kw 8.gw 1t.1u 2.1u c.3u 1.2w a.5p1u 16.vu 2q.36u 6pq.3u 2.6u 2.1u 2.82u',
  'g.u u.2u 3.u f.3u 9.azu 1s5.2yw 6.cw 4.8w 8.9w 4.1w 382.9w ef.19w 3.mw f3.4w 4.5w 9.7w 3.6w v.3w 45.2w',
  '3g.jw d.jw 31.ow 3s.2cw 2.1yw 2.1w 3.w 3.1w 3.3w 2.bw 2.w 2.6w 2.1sw 2.3w 3.7w 2.6w 2.rw 2.3w 2.4w 2.w',
  '4.6w 2.9fw 3.ow 2.ow 2.uw 2.ow 2.uw 2.ow 2.uw 2.ow 2.uw 2.ow 2.7w 3.1dw e9.1iw 5.1dw 9.w f.w n.4w 2.ew',
  'up.uw 7.5w 5y.6w 2.gw 3.6w 2.1w 2.4w 6.1pw y.w 35.18w 4.dw 3.9w 5.w 8y.uw i.1lw d3.15w 5z.16w 5i.uw 2.lw',
  '9.1w 69.6w 2.3w 2.1w 2.ew 2.5gw 3.fw 16.23w 5.9w m0.1mw 2.2w 2.3w 25.18w 2.ew 5f.3w 2.qw 2.1w 2.w 3.w',
  '2.9w 2.3w 2.w 2.w 7.w 5.w 2.w 2.w 2.2w 2.1w 2.w 3.w 2.w 2.w 2.w 2.w 2.1w 2.w 3.3w 2.6w 2.3w 2.3w 2.w',
  '2.9w 2.gw 6.2w 2.4w 2.gw 95.p 14.3p 2t.bp g.1p g.p f.1p 12.9p 1.cw 2s.1p d.1p f.p 3.9p k.29p 2.ep b.p',
  'l.p 3.8p 2.3p a.mp 7.57p 3.33p 3.1p 2.2p 3.2ap 3.2p 2.3p 6.71p 2.1qp c.5p 2.np 8.1p 3.7p d.p 3.3p 3.p',
  '5.1p e.1p 3.p 9.1p a.p 6.2p d.2p 9.2p 3.p 2.p 5.p 7.p 4.p 7.2dp 1d.1xp 6.7p 3.gp 4.p 2.5p 3.cp 63.11p',
  'd.3p 1l.7p b.5p 15.7p v.1p d.3p 3.dp a.12p d.1ap 2.9p 2.54p 2h.7p f.41p 6p.9w 7.sdp 3.wynu x.3dpu 3.4gdu',
  '3.5rku g.h9u 1wj.f1u 15v.3t6u 6.6jtu f62v.6nw',
];
