'use strict';
(() => {
  // Shows what needs scripts, so that what follows measures the page as it is.
  document.documentElement.dataset.script = 'on';
  const data = JSON.parse(document.getElementById('plan-data').textContent);
  const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));
  const numbers = text => (text || '').trim().split(/\s+/).filter(part => part).map(Number);
  const title = document.getElementById('details-title');
  const lines = document.getElementById('details-lines');
  const jump = document.getElementById('jump');
  let selection = null;

  const isSame = (a, b) => a && b && a.kind === b.kind && a.index === b.index;

  function relations(chosen) {
    const one = chosen.kind === 'pass' ? data.passes[chosen.index] : data.resources[chosen.index];
    return chosen.kind === 'pass'
      ? { passes: new Set([chosen.index]), resources: new Set(one.resources) }
      : { passes: new Set(one.passes), resources: new Set([chosen.index]) };
  }

  function explain(chosen) {
    const one = chosen.kind === 'pass' ? data.passes[chosen.index] : data.resources[chosen.index];
    title.textContent = (chosen.kind === 'pass' ? 'Pass ' : 'Resource ') + one.name;
    const text = one.explanation.length
      ? one.explanation
      : ['The plan is too large for explanations here; ask for one with plan --explain.'];
    lines.replaceChildren(...text.map(line => {
      const item = document.createElement('li');
      item.textContent = line.trim();
      if (line.startsWith(' ')) {
        item.className = 'detail';
      }
      return item;
    }));
  }

  const places = { pass: new Map(), resource: new Map() };
  function place(kind, index, element) {
    const known = places[kind].get(index);
    if (known) {
      known.push(element);
    } else {
      places[kind].set(index, [element]);
    }
  }
  const items = all('svg [data-pass], svg [data-resource], tr[data-pass], tr[data-resource]');
  for (const element of items) {
    if (element.dataset.pass !== undefined) {
      place('pass', Number(element.dataset.pass), element);
    }
    if (element.dataset.resource !== undefined) {
      place('resource', Number(element.dataset.resource), element);
    }
  }
  for (const edge of all('svg .edge[data-passes]')) {
    numbers(edge.dataset.passes).forEach(pass => place('pass', pass, edge));
    numbers(edge.dataset.resources).forEach(resource => place('resource', resource, edge));
  }
  const placesOf = (kind, index) => places[kind].get(index) || [];

  function mark(name, elements) {
    all('.' + name).forEach(element => element.classList.remove(name));
    elements.forEach(element => element.classList.add(name));
  }

  function paint() {
    document.body.classList.toggle('choosing', Boolean(selection));
    const here = selection ? placesOf(selection.kind, selection.index) : [];
    mark('selected', here.filter(element => !element.classList.contains('edge')));
    mark('related', selection ? around(selection) : []);
    all('[aria-pressed="true"]').forEach(element => element.setAttribute('aria-pressed', 'false'));
    here.filter(element => element.getAttribute('role') === 'button')
      .forEach(element => element.setAttribute('aria-pressed', 'true'));
    filter();
  }

  // Neighbours in the drawings, and the edges to them.
  function around(chosen) {
    const { passes, resources } = relations(chosen);
    const near = Array.from(passes).flatMap(pass => placesOf('pass', pass))
      .concat(Array.from(resources).flatMap(resource => placesOf('resource', resource)))
      .filter(element => element.tagName !== 'TR' && !element.classList.contains('edge'));
    return near.concat(placesOf(chosen.kind, chosen.index).filter(element => element.classList.contains('edge')));
  }

  let hovered = null;
  document.addEventListener('pointerover', event => {
    const over = event.target.closest('svg [role="button"], button.link') ? chosenBy(event.target) : null;
    if (over === hovered || isSame(over, hovered)) {
      return;
    }
    hovered = over;
    document.body.classList.toggle('hovering', Boolean(over));
    mark('hovered', over ? placesOf(over.kind, over.index) : []);
  });

  function choose(chosen) {
    selection = isSame(selection, chosen) ? null : chosen;
    if (selection) {
      explain(selection);
      jump.value = selection.kind + ' ' + selection.index;
    } else {
      title.textContent = 'Nothing selected';
      lines.replaceChildren();
      jump.value = '';
    }
    paint();
  }

  function chosenBy(target) {
    const element = target.closest('[role="button"][data-pass], [role="button"][data-resource], button.link');
    if (!element) {
      return null;
    }
    return element.dataset.pass !== undefined
      ? { kind: 'pass', index: Number(element.dataset.pass) }
      : { kind: 'resource', index: Number(element.dataset.resource) };
  }

  document.addEventListener('click', event => {
    const chosen = chosenBy(event.target);
    if (chosen) {
      choose(chosen);
    }
  });

  document.addEventListener('keydown', event => {
    if (event.key === 'Escape' && selection) {
      choose(selection);
    }
    if ((event.key === 'Enter' || event.key === ' ') && event.target.closest('svg [role="button"]')) {
      event.preventDefault();
      choose(chosenBy(event.target));
    }
  });

  function offer(label, kind, ones) {
    const group = document.createElement('optgroup');
    group.label = label;
    ones.forEach((one, index) => {
      const option = document.createElement('option');
      option.value = kind + ' ' + index;
      option.textContent = one.name;
      group.append(option);
    });
    jump.append(group);
  }
  offer('Passes', 'pass', data.passes);
  offer('Resources', 'resource', data.resources);
  function go(kind, index) {
    selection = null;
    choose({ kind, index });
    const target = document.querySelector('#graph-svg [data-' + kind + '="' + index + '"]');
    if (target) {
      const svg = target.closest('svg');
      if (svg.dataset.factor < readable) {
        zoom(svg, 1);
      }
      target.scrollIntoView({ block: 'center', inline: 'center' });
    }
  }
  jump.addEventListener('change', () => {
    const [kind, index] = jump.value.split(' ');
    if (kind) {
      go(kind, Number(index));
    } else if (selection) {
      choose(selection);
    }
  });
  document.getElementById('clear').addEventListener('click', () => selection && choose(selection));

  const search = document.getElementById('search');
  const found = document.getElementById('found');
  let hits = [];
  let shownHit = -1;
  search.addEventListener('input', () => {
    const wanted = search.value.trim().toLowerCase();
    const named = (ones, kind) => ones.map((one, index) => ({ kind, index, name: one.name.toLowerCase() }));
    hits = wanted === '' ? [] : named(data.passes, 'pass').concat(named(data.resources, 'resource'))
      .filter(one => one.name.includes(wanted));
    shownHit = -1;
    mark('found', hits.flatMap(one => placesOf(one.kind, one.index))
      .filter(element => element.tagName !== 'TR' && !element.classList.contains('edge')));
    found.textContent = wanted === '' ? '' : hits.length + ' found' + (hits.length ? '; Enter shows the next' : '');
  });
  search.addEventListener('keydown', event => {
    if (event.key === 'Enter' && hits.length) {
      shownHit = (shownHit + 1) % hits.length;
      go(hits[shownHit].kind, hits[shownHit].index);
    }
  });

  const words = document.getElementById('barrier-filter');
  const onlySelected = document.getElementById('barrier-selected');
  const count = document.getElementById('barrier-count');
  const rows = all('#barrier-table tbody tr');
  const texts = rows.map(row => row.textContent.toLowerCase());

  function filter() {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(word => word);
    let shown = 0;
    rows.forEach((row, index) => {
      const fits = wanted.every(word => texts[index].includes(word))
        && (!onlySelected.checked || !selection || row.classList.contains('selected'));
      row.classList.toggle('filtered', !fits);
      shown += fits ? 1 : 0;
    });
    count.textContent = shown + ' of ' + rows.length;
  }
  words.addEventListener('input', filter);
  onlySelected.addEventListener('change', filter);

  function key(row, column) {
    const cell = row.cells[column];
    return cell.dataset.sort === undefined ? cell.textContent : Number(cell.dataset.sort);
  }

  for (const table of all('table.sortable')) {
    const heads = all('th', table);
    heads.forEach((head, column) => head.querySelector('button').addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      heads.forEach(other => other.setAttribute('aria-sort', 'none'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const sorted = Array.from(table.tBodies[0].rows).map(row => [key(row, column), row]);
      sorted.sort(([a], [b]) => (typeof a === 'number' && typeof b === 'number'
        ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true })) * (down ? -1 : 1));
      table.tBodies[0].append(...sorted.map(([, row]) => row));
    }));
  }

  const smallest = 0.05;
  // Names have letters of 8 pixels then.
  const readable = 0.67;
  function zoom(svg, factor) {
    svg.dataset.factor = factor;
    svg.setAttribute('width', svg.dataset.width * factor);
    svg.setAttribute('height', svg.dataset.height * factor);
  }
  // All of a drawing is seen, in a box that grows up to the height that the style says.
  function fitting(svg) {
    const box = svg.parentElement;
    const height = parseFloat(getComputedStyle(box).maxHeight);
    return Math.min(1, (box.clientWidth - 2) / svg.dataset.width, (height - 4) / svg.dataset.height);
  }
  for (const button of all('button[data-zoom]')) {
    const svg = document.getElementById(button.dataset.target);
    button.addEventListener('click', () => {
      const now = Number(svg.dataset.factor || 1);
      zoom(svg, { in: Math.min(8, now * 1.3), out: Math.max(Math.min(smallest, now), now / 1.3), fit: fitting(svg), full: 1 }[button.dataset.zoom]);
    });
  }
  // A page opens with letters that can be read: with all of a drawing if that allows it, otherwise with its start.
  for (const svg of all('.drawing > svg')) {
    zoom(svg, Math.max(fitting(svg), readable));
    const box = svg.parentElement;
    const start = svg.querySelector('[data-pass]').getBoundingClientRect();
    box.scrollLeft += start.left + start.width / 2 - box.getBoundingClientRect().left - box.clientWidth / 2;
  }
  filter();
  document.documentElement.dataset.ready = 'true';
})();
