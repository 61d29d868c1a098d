'use strict';
// Subtitles: the renditions that the film's playlist lists. The browser shows them where it lists them itself; else text tracks of this page's own do.
// A second one is always the page's own, at the top.

const AHEAD = 30, TICKS = 90000, WRAP = 2 ** 33; // seconds to have ready; MPEG-2 time stamps: ticks a second, and where they begin anew (33 bits)

// ---- what is fetched ------------------------------------------------------------------------------

function attributeList(line) {
  const out = {};
  for (const [, name, value] of line.slice(line.indexOf(':') + 1).matchAll(/([A-Z0-9-]+)=("[^"]*"|[^",]*)/g)) out[name] = value.replace(/^"|"$/g, '');
  return out;
}

function subtitleRenditions(playlist, address) {
  return playlist.split(/\r?\n/).filter(line => line.startsWith('#EXT-X-MEDIA:')).map(attributeList).filter(a => a.TYPE === 'SUBTITLES' && a.URI).map(a => ({
    name: a.NAME, language: a.LANGUAGE || '', isDefault: a.DEFAULT === 'YES', isForced: a.FORCED === 'YES',
    describesSound: (a.CHARACTERISTICS || '').includes('public.accessibility'), playlist: new URL(a.URI, address).href }));
}

// Segments by their numbers in the stream, which stay what they are when a list grows or loses its head.
function segmentList(playlist, address) {
  const out = { segments: [], isEnded: false, target: 1 };
  let number = 0, duration = 0;
  for (const line of playlist.split(/\r?\n/)) {
    const [tag, value] = [line.split(':')[0], line.slice(line.indexOf(':') + 1)];
    if (tag === '#EXT-X-MEDIA-SEQUENCE') number = Number(value);
    else if (tag === '#EXT-X-TARGETDURATION') out.target = Number(value);
    else if (tag === '#EXT-X-ENDLIST') out.isEnded = true;
    else if (tag === '#EXTINF') duration = parseFloat(value);
    else if (line && !line.startsWith('#')) out.segments.push({ number: number++, duration, url: new URL(line, address).href });
  }
  return out;
}

function cueTime(text) {
  const parts = /^(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})$/.exec(text);
  return parts && (parts[1] || 0) * 3600 + parts[2] * 60 + parts[3] * 1 + parts[4] / 1000;
}

// A segment as WebVTT has it (W3C WebVTT §6.1; X-TIMESTAMP-MAP: RFC 8216 §3.5). Times stay the segment's own; `map` says where they stand in the stream.
function webVTT(text) {
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n').replace(/\0/g, '\uFFFD').split('\n');
  if (!/^WEBVTT(?:[ \t]|$)/.test(lines[0])) throw new Error('no WebVTT');
  const out = { map: { local: 0, ticks: 0 }, cues: [] };
  let at = 1;
  for (; at < lines.length && lines[at] && !lines[at].includes('-->'); at++) {
    if (!lines[at].startsWith('X-TIMESTAMP-MAP=')) continue;
    const local = /LOCAL:([\d:.]+)/.exec(lines[at]), ticks = /MPEGTS:(\d+)/.exec(lines[at]);
    if (local && ticks) out.map = { local: cueTime(local[1]) || 0, ticks: Number(ticks[1]) };
  }
  while (at < lines.length) {
    if (!lines[at]) { at++; continue; }
    // a block: an identifier and a timing, a timing, or neither (NOTE, STYLE, REGION)
    let id = '';
    if (!lines[at].includes('-->')) id = lines[at++];
    const timing = (lines[at] || '').includes('-->') ? /^[ \t]*([\d:.]+)[ \t]*-->[ \t]*([\d:.]+)(?:[ \t]+(.*))?$/.exec(lines[at++]) : null, words = [];
    while (at < lines.length && lines[at] && !lines[at].includes('-->')) words.push(lines[at++]);
    if (!timing) {
      if (at < lines.length && lines[at].includes('-->') && !words.length) at++;
      continue;
    }
    const start = cueTime(timing[1]), end = cueTime(timing[2]);
    if (start !== null && end !== null && end > start) out.cues.push({ id, start, end, settings: timing[3] || '', text: words.join('\n') });
  }
  return out;
}

// ---- cues -----------------------------------------------------------------------------------------

// A value that this browser does not know leaves what was there.
function place(cue, settings) {
  const set = (name, value) => { try { cue[name] = value; } catch { /* out of range */ } };
  for (const part of settings.split(/[ \t]+/)) {
    const [name, value = ''] = [part.slice(0, part.indexOf(':')), part.slice(part.indexOf(':') + 1)], [first, second] = value.split(',');
    const share = /^(\d+(?:\.\d+)?)%$/.exec(first);
    if (name === 'vertical') set('vertical', value);
    else if (name === 'align') set('align', value);
    else if (name === 'size' && share) set('size', Number(share[1]));
    else if (name === 'position' && share) {
      set('position', Number(share[1]));
      if (second) set('positionAlign', second);
    } else if (name === 'line' && (share || /^-?\d+$/.test(first))) {
      set('snapToLines', !share);
      set('line', share ? Number(share[1]) : Number(first));
      if (second) set('lineAlign', second);
    }
  }
}

// Where a time of the stream is on the element's clock: the presentation begins at the film's origin, and at the element's first time. The stream's
// clock begins anew after a day and some; of the times that may be meant, the one nearest to `near` is.
function elementTime(seconds, map, origin, zero, near) {
  const time = zero + seconds + map.ticks / TICKS - map.local - origin, wrap = WRAP / TICKS;
  return time - wrap * Math.round((time - near) / wrap);
}

// One rendition in a text track of the page's own.
class OwnSubtitles {
  constructor(rendition, isSecond) {
    Object.assign(this, { rendition, isSecond, segments: new Map(), cues: new Map(), listed: { segments: [], isEnded: false, target: 1 }, listedAt: -Infinity, fetching: null, isOver: false });
    this.track = OwnSubtitles.track(rendition);
    this.track.mode = 'showing';
    this.clear();
    this.follow();
  }

  // A text track that was added stays: each rendition has one.
  static track(rendition) {
    if (!rendition.track) {
      rendition.track = video.addTextTrack('subtitles', rendition.name, rendition.language);
      OwnSubtitles.tracks.add(rendition.track);
    }
    return rendition.track;
  }

  end() {
    this.isOver = true;
    if (this.fetching) this.fetching.stop.abort();
    this.clear();
    this.track.mode = 'disabled';
  }

  clear() {
    for (const cue of [...this.track.cues || []]) this.track.removeCue(cue);
    this.cues.clear();
  }

  // Fetches what is wanted and not there, the nearest to the playhead first, one at a time.
  async follow() {
    if (this.isOver || video.readyState < 1) return;
    const now = performance.now() / 1000, at = video.currentTime;
    if (this.fetching) {
      // after a seek, what is on its way may not be wanted any more
      if (this.fetching.segment && !this.isWanted(this.fetching.segment, at)) this.fetching.stop.abort();
      return;
    }
    const isOld = !this.listed.isEnded && now - this.listedAt > this.listed.target / 2;
    const next = isOld ? null : this.listed.segments.map(s => this.segments.get(s.number)).filter(s => this.isWanted(s, at) && !s.isHere && now >= s.notBefore)
      .sort((a, b) => this.distance(a, at) - this.distance(b, at))[0];
    if (!isOld && !next) return;
    this.fetching = { segment: next, stop: new AbortController() };
    try {
      // what a browser kept may stand for another delay: it is asked for, and is mostly the same
      const answer = await fetch(next ? next.url : this.rendition.playlist, { cache: 'no-cache', signal: this.fetching.stop.signal });
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      const text = await answer.text();
      if (this.isOver) return;
      if (next) this.take(next, text); else this.list(text, now);
    } catch (error) {
      if (error.name !== 'AbortError') {
        // pictures of words take long to read, and a file is fetched: it is asked for again
        if (next) next.notBefore = now + 1;
        else this.listedAt = now - this.listed.target / 2 + 1;
      }
    } finally {
      this.fetching = null;
    }
    this.follow();
  }

  isWanted(segment, at) { return segment.start < at + AHEAD && segment.start + segment.duration > at - 0.1; }
  distance(segment, at) { return segment.start <= at ? 0 : segment.start - at; }

  list(text, now) {
    this.listed = segmentList(text, this.rendition.playlist);
    this.listedAt = now;
    let from = null;
    for (const s of this.listed.segments) {
      const known = this.segments.get(s.number);
      if (known) from = known.start;
      else this.segments.set(s.number, { ...s, start: from ?? start(), notBefore: 0, isHere: false, isEdge: false });
      from = this.segments.get(s.number).start + s.duration;
    }
    const first = this.listed.segments[0], edge = this.listed.isEnded ? Infinity : this.listed.segments.length - 2;
    this.listed.segments.forEach((s, i) => {
      const segment = this.segments.get(s.number);
      // words may be found behind the picture they go with: what was the last is asked for again when it is not
      if (segment.isEdge && i < edge) segment.isHere = false;
      segment.isEdge = i >= edge;
    });
    for (const [number, segment] of this.segments) {
      if (!first || number >= first.number) continue;
      this.segments.delete(number);
      for (const [key, cue] of this.cues) if (cue.endTime < segment.start) { this.track.removeCue(cue); this.cues.delete(key); }
    }
  }

  // A cue that is shown across a boundary is in each of its segments; two that are alike in one segment are two.
  take(segment, text) {
    const { map, cues } = webVTT(text), seen = new Map();
    for (const c of cues) {
      const alike = JSON.stringify([Math.round((c.start + map.ticks / TICKS - map.local) * 1000), c.settings, c.text]), nth = seen.get(alike) || 0;
      seen.set(alike, nth + 1);
      const key = `${alike} ${nth}`, known = this.cues.get(key), [from, to] = [c.start, c.end].map(t => elementTime(t, map, film.originSeconds, zero(), segment.start));
      if (known) {
        if (to > known.endTime) known.endTime = to;
        continue;
      }
      const cue = new VTTCue(from, to, c.text);
      cue.id = c.id;
      if (this.isSecond) place(cue, 'line:0 align:center'); else place(cue, c.settings);
      this.cues.set(key, cue);
      this.track.addCue(cue);
    }
    segment.isHere = true;
  }
}
OwnSubtitles.tracks = new Set();

// ---- choice ---------------------------------------------------------------------------------------

const subtitles = { renditions: [], chosen: [null, null], own: [null, null] };

// The browser's own tracks of words: there are some where it shows WebVTT renditions itself.
const nativeSubtitles = () => [...video.textTracks || []].filter(t => !OwnSubtitles.tracks.has(t) && ['subtitles', 'captions', 'forced'].includes(t.kind));

function nativeSubtitle(rendition) {
  const tracks = nativeSubtitles();
  return rendition && (tracks.find(t => t.label === rendition.name) || (tracks.length === subtitles.renditions.length ? tracks[subtitles.renditions.indexOf(rendition)] : null)) || null;
}

// Brings about what is chosen: the first by the browser where it can, everything else by the page, nothing twice.
function applySubtitles() {
  const native = nativeSubtitle(subtitles.chosen[0]);
  for (const track of nativeSubtitles()) {
    const mode = track === native ? 'showing' : 'disabled';
    if (track.mode !== mode) track.mode = mode;
  }
  subtitles.chosen.forEach((rendition, slot) => {
    const wanted = slot === 0 && native ? null : rendition, own = subtitles.own[slot];
    if (own && own.rendition === wanted) return;
    if (own) own.end();
    subtitles.own[slot] = null;
  });
  subtitles.chosen.forEach((rendition, slot) => {
    if (rendition && !(slot === 0 && native) && !subtitles.own[slot]) subtitles.own[slot] = new OwnSubtitles(rendition, slot === 1);
  });
  $('subtitles-button').classList.toggle('on', subtitles.chosen.some(Boolean));
}

// The same words twice are shown once.
function chooseSubtitles(slot, rendition) {
  if (rendition && subtitles.chosen[1 - slot] === rendition) subtitles.chosen[1 - slot] = null;
  // chosen again: what is there may be of another delay
  if (subtitles.own[slot]) { subtitles.own[slot].end(); subtitles.own[slot] = null; }
  subtitles.chosen[slot] = rendition;
  applySubtitles();
}

function subtitleItems() {
  const list = slot => [null, ...subtitles.renditions].map(r => ({
    label: r ? r.name : 'Off', detail: r ? [r.language, r.isForced && 'forced', r.describesSound && 'SDH'].filter(Boolean).join(' · ') : '',
    checked: subtitles.chosen[slot] === r, choose: () => chooseSubtitles(slot, r) }));
  return [...list(0), ...(subtitles.renditions.length > 1 ? [{ heading: 'Second, at the top' }, ...list(1)] : [])];
}

async function findSubtitles() {
  const address = new URL(film.playlist, location.href);
  try {
    subtitles.renditions = subtitleRenditions(await (await fetch(address)).text(), address);
  } catch {
    return;
  }
  $('subtitles-button').hidden = !subtitles.renditions.length;
  subtitles.chosen[0] = subtitles.renditions.find(r => r.isDefault) || null;
  applySubtitles();
  const follow = () => { for (const own of subtitles.own) if (own) own.follow(); };
  for (const name of ['timeupdate', 'seeking', 'seeked', 'loadedmetadata']) video.addEventListener(name, follow);
  setInterval(follow, 1000);
  if (!video.textTracks) return;
  video.textTracks.addEventListener('addtrack', applySubtitles);
  video.textTracks.addEventListener('removetrack', applySubtitles);
  // in full screen a telephone has a menu of its own for the browser's tracks
  video.textTracks.addEventListener('change', () => {
    const native = nativeSubtitles(), shown = native.find(t => t.mode === 'showing');
    if (!native.length || shown === nativeSubtitle(subtitles.chosen[0])) return;
    const rendition = shown ? subtitles.renditions.find(r => nativeSubtitle(r) === shown) : null;
    if (rendition !== undefined && rendition !== subtitles.chosen[0]) chooseSubtitles(0, rendition);
  });
}
