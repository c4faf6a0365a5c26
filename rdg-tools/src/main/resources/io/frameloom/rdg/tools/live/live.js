'use strict';
(() => {
  const KEPT = 600;
  const SVG = 'http://www.w3.org/2000/svg';
  const byId = id => document.getElementById(id);
  const frames = [];
  let waiting = false;
  let lanes = null;

  /** Makes an element. Texts from outside are texts only. */
  function make(tag, attributes, text) {
    const element = document.createElementNS(SVG, tag);
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function cell(text, kind) {
    const td = document.createElement('td');
    td.textContent = text;
    if (kind) td.className = kind;
    return td;
  }

  const millis = value => value.toFixed(value < 10 ? 2 : 1) + ' ms';

  /** Draws when the browser does, however many frames have come until then. */
  function soon() {
    if (waiting) return;
    waiting = true;
    setTimeout(() => { waiting = false; draw(); }, 50);
  }

  function draw() {
    const last = frames[frames.length - 1];
    if (last) {
      byId('number').textContent = last.frame;
      byId('millis').textContent = millis(last.millis);
      byId('record').textContent = millis(last.record);
      byId('submit').textContent = millis(last.submit);
      byId('gpu').textContent = millis(last.gpu);
      byId('passes').textContent = last.passes;
      byId('leftOut').textContent = last.leftOut;
      const newest = frames.slice(-60);
      const sum = newest.reduce((all, frame) => all + frame.millis, 0);
      byId('rate').textContent = sum > 0 ? (1000 * newest.length / sum).toFixed(1) : '–';
    }
    drawTimes();
  }

  function drawTimes() {
    const svg = byId('times');
    // One that took very long must not hide the others.
    const sorted = frames.map(frame => Math.max(frame.millis, frame.gpu)).sort((a, b) => a - b);
    const usual = sorted.length ? sorted[Math.floor(0.95 * (sorted.length - 1))] : 1;
    const top = 1.25 * Math.max(usual, 1);
    const places = Math.max(60, frames.length);
    svg.setAttribute('viewBox', '0 0 ' + places + ' 100');
    const parts = [];
    const line = [];
    frames.forEach((frame, i) => {
      const high = Math.min(100, 100 * frame.millis / top);
      const bar = make('rect', { class: 'cpu', x: i, y: 100 - high, width: 0.9, height: high });
      bar.append(make('title', {}, 'frame ' + frame.frame + ': ' + millis(frame.millis) + ', on the device ' + millis(frame.gpu)));
      parts.push(bar);
      line.push(i + 0.45 + ',' + (100 - Math.min(100, 100 * frame.gpu / top)));
    });
    parts.push(make('polyline', { class: 'gpu', points: line.join(' ') }));
    let marks = '';
    for (const limit of [1000 / 60, 1000 / 30]) {
      if (limit < top) {
        const y = 100 - 100 * limit / top;
        parts.push(make('line', { class: 'limit', x1: 0, x2: places, y1: y, y2: y }));
        marks += (marks ? ' and ' : ', dashed: ') + millis(limit);
      }
    }
    svg.replaceChildren(...parts);
    byId('scale').textContent = frames.length ? 'the top is ' + millis(top) + marks : '';
  }

  function drawLanes() {
    if (!lanes) return;
    const box = byId('lanes');
    byId('lanes-frame').textContent = 'frame ' + lanes.frame;
    if (!lanes.trace) {
      const much = document.createElement('p');
      much.className = 'absent';
      much.textContent = 'This frame has more spans than are shown here.';
      box.replaceChildren(much);
      return;
    }
    const processes = new Map();
    const rows = new Map();
    for (const event of lanes.trace.traceEvents) {
      if (event.name === 'process_name') processes.set(event.pid, event.args.name);
      if (event.name === 'thread_name' && event.ph === 'M') rows.set(event.tid, { pid: event.pid, name: event.args.name, spans: [] });
    }
    let from = Infinity;
    let to = -Infinity;
    for (const event of lanes.trace.traceEvents) {
      if (event.ph !== 'X' || !rows.has(event.tid)) continue;
      rows.get(event.tid).spans.push(event);
      if (event.args.frame === lanes.frame) {
        from = Math.min(from, event.ts);
        to = Math.max(to, event.ts + event.dur);
      }
    }
    if (!(to > from)) return;
    const width = Math.max(320, box.clientWidth);
    const left = width < 600 ? 90 : 190;
    const x = at => left + (width - left - 4) * (Math.min(to, Math.max(from, at)) - from) / (to - from);
    const parts = [];
    let y = 4;
    for (const row of rows.values()) {
      const seen = row.spans.filter(span => span.ts < to && span.ts + span.dur > from);
      if (seen.length === 0) continue;
      seen.sort((a, b) => a.ts - b.ts || b.dur - a.dur);
      const process = processes.get(row.pid);
      const title = make('text', { class: 'title', x: 6, y: y + 12 }, process + ' ' + row.name.replace(/^frameloom-/, ''));
      parts.push(title);
      const open = [];
      let deepest = 0;
      const texts = [];
      for (const span of seen) {
        while (open.length && open[open.length - 1] <= span.ts + 1e-4) open.pop();
        const depth = open.length;
        open.push(span.ts + span.dur);
        deepest = Math.max(deepest, depth);
        const x0 = x(span.ts);
        const x1 = Math.max(x0 + 0.5, x(span.ts + span.dur));
        const kind = span.cat === 'wait' || span.cat === 'idle' ? span.cat : span.args.frame === lanes.frame ? 'own' : '';
        const bar = make('rect', { class: kind + (process === 'GPU' ? ' gpu' : ''), x: x0, y: y + 16 * depth, width: x1 - x0, height: 15 });
        bar.append(make('title', {}, span.name + ', ' + millis(span.dur / 1000) + (span.args.reason ? ': ' + span.args.reason : '')));
        parts.push(bar);
        const letters = Math.floor((x1 - x0 - 4) / 6.7);
        if (letters >= 3) texts.push(make('text', { x: x0 + 3, y: y + 16 * depth + 11 }, span.name.slice(0, letters)));
      }
      parts.push(...texts);
      y += 16 * (deepest + 1) + 5;
      parts.push(make('line', { class: 'base', x1: 0, x2: width, y1: y - 3, y2: y - 3 }));
    }
    const svg = make('svg', { width, height: y, role: 'img', 'aria-label': 'What threads and queues did in frame ' + lanes.frame });
    const clip = make('clipPath', { id: 'titles' });
    clip.append(make('rect', { x: 0, y: 0, width: left - 6, height: y }));
    svg.append(clip);
    parts.filter(part => part.getAttribute('class') === 'title').forEach(part => part.setAttribute('clip-path', 'url(#titles)'));
    svg.append(...parts);
    box.replaceChildren(svg);
  }

  function drawWorst(worst) {
    byId('worst').replaceChildren(...worst.frames.map(frame => {
      const row = document.createElement('tr');
      const trace = cell(frame.trace ? '' : 'too large to keep');
      if (frame.trace) {
        const link = document.createElement('a');
        link.href = 'frame-' + frame.frame + '.json';
        link.textContent = 'download';
        link.setAttribute('aria-label', 'download the trace of frame ' + frame.frame);
        trace.append(link);
      }
      row.append(cell(frame.frame), cell(frame.millis.toFixed(2), 'number'), trace);
      return row;
    }));
  }

  function drawMemory(memory) {
    const mib = bytes => (bytes / 1048576).toFixed(1);
    const row = (name, bytes, of) => {
      const tr = document.createElement('tr');
      const share = cell('');
      if (of > 0) {
        const meter = document.createElement('meter');
        meter.max = of;
        meter.value = bytes;
        meter.textContent = (100 * bytes / of).toFixed(0) + ' %';
        meter.title = mib(bytes) + ' of ' + mib(of) + ' MiB';
        share.append(meter);
      }
      tr.append(cell(name), cell(mib(bytes), 'number'), share);
      return tr;
    };
    const rows = memory.heaps.map((heap, i) =>
      row('heap ' + i + (heap.local ? ', of the device' : '') + ': used of its budget', heap.used, heap.budget));
    const kinds = Object.entries(memory.kinds);
    const all = kinds.reduce((sum, kind) => sum + kind[1], 0);
    kinds.forEach(([kind, bytes]) => rows.push(row(kind, bytes, all)));
    rows.push(row('transients of the plan', memory.transient, all));
    byId('memory').replaceChildren(...rows);
  }

  function drawPlan(plan) {
    byId('plan-frame').textContent = 'changed in frame ' + plan.frame + ', ' + plan.changes + ' differences';
    const lines = plan.lines.map(text => {
      const li = document.createElement('li');
      li.textContent = text;
      return li;
    });
    if (plan.changes > plan.lines.length) {
      const more = document.createElement('li');
      more.className = 'absent';
      more.textContent = (plan.changes - plan.lines.length) + ' more';
      lines.push(more);
    }
    byId('plan').replaceChildren(...lines);
  }

  function state(text, lost) {
    byId('state').textContent = text;
    byId('state').className = lost ? 'lost' : '';
  }

  const source = new EventSource('events');
  const on = (kind, action) => source.addEventListener(kind, event => action(JSON.parse(event.data)));
  source.onopen = () => state('', false);
  source.onerror = () => state(source.readyState === EventSource.CLOSED ? 'refused: too many pages look' : 'not connected; trying again', true);
  on('history', known => { frames.length = 0; frames.push(...known); byId('failure').hidden = true; soon(); });
  on('frame', frame => { frames.push(frame); if (frames.length > KEPT) frames.shift(); byId('failure').hidden = true; soon(); });
  on('device', device => { byId('device').textContent = device.name; });
  on('lanes', shown => { lanes = shown; drawLanes(); });
  on('worst', drawWorst);
  on('memory', drawMemory);
  on('plan', drawPlan);
  on('failure', failure => { byId('failure').hidden = false; byId('failure').textContent = failure.message; });
  addEventListener('resize', drawLanes);
})();
