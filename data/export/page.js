/* SPDX-License-Identifier: Apache-2.0 */
'use strict';
(function () {
  const words = JSON.parse(document.getElementById('words').textContent);
  const LOOSE = 2; /* evidence from here on is of a whole partition, assumed or ambiguous */
  const models = [];

  /* Text only ever goes in as text. */
  function make(tag, text, cls) {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (cls) element.className = cls;
    return element;
  }

  function Model(root) {
    this.root = root;
    this.prefix = root.id;
    this.data = JSON.parse(document.getElementById(root.id + '-data').textContent);
    this.tabs = Array.from(root.querySelectorAll('[role=tab]'));
    this.panels = Array.from(root.querySelectorAll('[role=tabpanel]'));
    this.details = root.querySelector('.details');
    this.places = new Map(); /* entity -> [[view, item]] */
    this.marked = [];
    this.maps = new Map();   /* view -> how it is looked at */
    this.data.views.forEach((view, v) => {
      for (const list of [view.nodes || [], view.groups || []])
        for (const thing of list)
          if (thing.e !== undefined && thing.i !== undefined) {
            if (!this.places.has(thing.e)) this.places.set(thing.e, []);
            this.places.get(thing.e).push([v, thing.i]);
          }
    });
    this.listen();
    this.show(Number(root.dataset.first));
  }

  Model.prototype.item = function (view, number) {
    return document.getElementById(this.prefix + '-v' + view + '-i' + number);
  };

  Model.prototype.show = function (panel) {
    this.shown = panel;
    this.tabs.forEach((tab, i) => {
      tab.setAttribute('aria-selected', i === panel ? 'true' : 'false');
      tab.tabIndex = i === panel ? 0 : -1;
    });
    this.panels.forEach((p, i) => { p.hidden = i !== panel; });
    const view = this.panels[panel].dataset.view;
    if (view !== undefined && !this.maps.has(Number(view))) {
      const svg = this.panels[panel].querySelector('svg.graph');
      if (svg && svg.clientWidth > 0) this.maps.set(Number(view), new Map2(svg));
    }
  };

  Model.prototype.panelOf = function (view) {
    return this.panels.findIndex((p) => p.dataset.view === String(view));
  };

  Model.prototype.mark = function (element, cls) {
    if (!element) return;
    element.classList.add(...cls);
    this.marked.push([element, cls]);
  };

  Model.prototype.clear = function () {
    for (const [element, cls] of this.marked) element.classList.remove(...cls);
    this.marked = [];
  };

  /* Entities that correspond to one, with how sure that is: its links, and those of its parts where
   * it is known to contain them. */
  Model.prototype.related = function (entity) {
    const found = new Map([[entity, 0]]);
    const of = this.data.entities[entity];
    const add = (other, evidence) => {
      if (!found.has(other) || found.get(other) > evidence) found.set(other, evidence);
    };
    for (const [other, evidence] of of.l) add(other, evidence);
    for (const child of of.down) add(child, 0);
    return found;
  };

  Model.prototype.select = function (view, thing) {
    this.clear();
    if (thing.i !== undefined) {
      const element = this.item(view, thing.i);
      this.mark(element, ['selected']);
      const svg = element && element.ownerSVGElement;
      if (svg)
        for (const wire of svg.querySelectorAll(
          '.wire[data-s="' + thing.i + '"], .wire[data-t="' + thing.i + '"]'))
          this.mark(wire, ['near']);
    }
    if (thing.e !== undefined)
      for (const [other, evidence] of this.related(thing.e))
        for (const [v, i] of this.places.get(other) || []) {
          const element = this.item(v, i);
          if (element && !element.classList.contains('selected'))
            this.mark(element, evidence >= LOOSE ? ['mapped', 'loose'] : ['mapped']);
        }
    this.tell(view, thing);
  };

  Model.prototype.pairs = function (pairs) {
    const list = make('dl');
    for (const [key, value] of pairs) {
      list.append(make('dt', key), make('dd', value));
    }
    return list;
  };

  Model.prototype.figures = function (measured) {
    const list = make('ul');
    for (const [title, unit, coverage, values] of measured) {
      const line = make('li');
      line.append(make('b', title));
      if (values === undefined) {
        line.append(make('div', words.unavailable + ' ' + unit, 'note'));
      } else {
        line.append(make('span', ' ' + unit + ' · ' + coverage, 'note'));
        const row = make('div', undefined, 'values');
        for (let i = 0; i < values.length; i += 2) {
          const pair = make('span');
          pair.append(make('span', values[i] + ' ', 'note'), make('span', values[i + 1]));
          row.append(pair);
        }
        line.append(row);
      }
      list.append(line);
    }
    return list;
  };

  Model.prototype.link = function (entity, note) {
    const line = make('li');
    const of = this.data.entities[entity];
    const button = make('button', of.t, 'go');
    button.type = 'button';
    button.addEventListener('click', () => this.go(entity));
    line.append(button, make('span', ' ' + of.k + (note ? ' · ' + note : ''), 'note'));
    return line;
  };

  Model.prototype.section = function (title, content) {
    this.details.append(make('h3', title), content);
  };

  Model.prototype.tell = function (view, thing) {
    const entity = thing.e === undefined ? null : this.data.entities[thing.e];
    const facts = [];
    this.details.replaceChildren(make('h3', entity ? entity.t : thing.t));
    if (entity) {
      facts.push([words.kind, entity.k]);
      if (entity.p) facts.push([words.where, entity.p]);
      if (entity.c) facts.push([words.executions, entity.c]);
      if (entity.s) facts.push([words.shared, String(entity.s)]);
    }
    if (thing.id) facts.push([words.id, thing.id]);
    if (thing.src) facts.push([words.source, thing.src]);
    this.details.append(this.pairs(facts));
    if (entity && entity.u) this.details.append(make('p', words.unmatched, 'note'));
    if (entity && entity.l.length > 0) {
      const list = make('ul');
      for (const [other, evidence, note] of entity.l)
        list.append(this.link(other, words.evidence[evidence] + (note ? ' · ' + note : '')));
      this.section(words.links, list);
    }
    if (entity) this.elsewhere(view, thing);
    for (const [title, numbers] of entity ? [[words.up, entity.up], [words.down, entity.down]] : []) {
      if (numbers.length === 0) continue;
      const list = make('ul');
      for (const other of numbers) list.append(this.link(other));
      this.section(title, list);
    }
    if (entity && entity.m.length > 0) this.section(words.measured, this.figures(entity.m));
    const attributes = (thing.a || []).slice();
    for (const pair of entity ? entity.a : [])
      if (!attributes.some((other) => other[0] === pair[0] && other[1] === pair[1]))
        attributes.push(pair);
    if (attributes.length > 0) this.section(words.attributes, this.pairs(attributes));
  };

  /* The same thing in the other views */
  Model.prototype.elsewhere = function (view, thing) {
    const list = make('ul');
    const seen = new Set([view]);
    for (const [v, i] of this.places.get(thing.e) || []) {
      if (seen.has(v)) continue;
      seen.add(v);
      const line = make('li');
      const button = make('button', this.data.views[v].t, 'go');
      button.type = 'button';
      button.addEventListener('click', () => this.reveal(v, i));
      line.append(button);
      list.append(line);
    }
    if (list.childElementCount > 0) this.section(words.views, list);
  };

  Model.prototype.thing = function (view, item) {
    const element = this.item(view, item);
    const of = this.data.views[view];
    if (!element) return null;
    if (element.dataset.n !== undefined) return of.nodes[Number(element.dataset.n)];
    if (element.dataset.g !== undefined) return of.groups[Number(element.dataset.g)];
    return { i: item, t: element.getAttribute('aria-label') };
  };

  Model.prototype.reveal = function (view, item) {
    const thing = this.thing(view, item);
    if (!thing) return;
    this.show(this.panelOf(view));
    this.select(view, thing);
    const map = this.maps.get(view);
    if (map) map.bring(this.item(view, item).querySelector('.box'));
  };

  /* To an entity: in the view that is shown if it is there */
  Model.prototype.go = function (entity) {
    const places = this.places.get(entity) || [];
    const shown = this.panels[this.shown].dataset.view;
    const place = places.find(([v]) => String(v) === shown) || places[0];
    if (place) {
      const of = this.data.views[place[0]];
      const same = (t) => t.e === entity && t.i === place[1];
      const thing = of.nodes.find(same) || of.groups.find(same);
      this.reveal(place[0], place[1]);
      if (thing) this.select(place[0], thing);
    } else {
      this.select(-1, { e: entity });
    }
  };

  Model.prototype.listen = function () {
    this.tabs.forEach((tab, i) => {
      tab.addEventListener('click', () => this.show(i));
      tab.addEventListener('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = (i + step + this.tabs.length) % this.tabs.length;
        event.preventDefault();
        this.show(next);
        this.tabs[next].focus();
      });
    });
    for (const panel of this.panels) {
      const view = panel.dataset.view;
      if (view === undefined) continue;
      const svg = panel.querySelector('svg.graph');
      const items = Array.from(svg.querySelectorAll('.item'));
      const pick = (element) => {
        const found = /-i(\d+)$/.exec(element.id);
        const thing = this.thing(Number(view), Number(found[1]));
        if (thing) this.select(Number(view), thing);
      };
      if (items.length > 0) items[0].tabIndex = 0;
      svg.addEventListener('click', (event) => {
        const map = this.maps.get(Number(view));
        const element = event.target.closest('.item');
        if (element && !(map && map.moved)) {
          pick(element);
          element.focus({ preventScroll: true });
        }
      });
      svg.addEventListener('keydown', (event) => {
        const at = items.indexOf(event.target);
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (at >= 0 && (event.key === 'Enter' || event.key === ' ')) {
          pick(items[at]);
        } else if (at >= 0 && step) {
          const next = items[Math.min(Math.max(at + step, 0), items.length - 1)];
          items[at].tabIndex = -1;
          next.tabIndex = 0;
          next.focus({ preventScroll: true });
          const map = this.maps.get(Number(view));
          if (map) map.bring(next.querySelector('.box'));
        } else {
          return;
        }
        event.preventDefault();
      });
      panel.querySelector('.tools').addEventListener('click', (event) => {
        const map = this.maps.get(Number(view));
        const what = event.target.dataset.do;
        if (!map || !what) return;
        if (what === 'fit') map.fit();
        else map.zoom(what === 'in' ? 1.4 : 1 / 1.4);
      });
    }
    this.root.addEventListener('click', (event) => {
      const button = event.target.closest('button.go');
      if (button && button.dataset.e !== undefined) this.go(Number(button.dataset.e));
    });
    for (const table of this.root.querySelectorAll('table.sortable')) sortable(table);
    this.filter();
  };

  Model.prototype.filter = function () {
    for (const input of this.root.querySelectorAll('.filter input')) {
      const panel = input.closest('.panel');
      const rows = Array.from(panel.querySelectorAll('tbody tr'));
      input.addEventListener('input', () => {
        const wanted = input.value.toLowerCase().split(/\s+/);
        let n = 0;
        for (const row of rows) {
          const text = row.textContent.toLowerCase();
          row.hidden = !wanted.every((word) => text.includes(word));
          if (!row.hidden) n += 1;
        }
        panel.querySelector('.filter .count').textContent = n + ' / ' + rows.length;
      });
    }
  };

  function sortable(table) {
    const body = table.tBodies[0];
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      head.tabIndex = 0;
      const sort = () => {
        const down = head.getAttribute('aria-sort') === 'ascending';
        const sign = down ? -1 : 1;
        const rows = Array.from(body.rows);
        const key = (row) => (row.cells[column] ? row.cells[column].textContent : '');
        rows.sort((a, b) => {
          const x = key(a), y = key(b);
          const p = parseFloat(x), q = parseFloat(y);
          if ((x === '') !== (y === '')) return x === '' ? 1 : -1;
          if (!Number.isNaN(p) && !Number.isNaN(q) && head.classList.contains('n'))
            return sign * (p - q);
          return sign * x.localeCompare(y);
        });
        for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        body.append(...rows);
      };
      head.addEventListener('click', sort);
      head.addEventListener('keydown', (event) => { if (event.key === 'Enter') sort(); });
    });
  }

  /* Zoom and place of one picture */
  function Map2(svg) {
    this.svg = svg;
    this.width = Number(svg.dataset.width);
    this.height = Number(svg.dataset.height);
    this.origin = svg.viewBox.baseVal.x;
    this.moved = false;
    svg.setAttribute('preserveAspectRatio', 'xMinYMin meet');
    this.fit();
    if (this.scale < 0.4) { /* a whole that cannot be read: begin at its beginning */
      this.scale = Math.min(1, Math.max(0.6, svg.clientHeight / this.height));
      this.x = this.origin;
      this.y = this.origin + Math.min((this.height - svg.clientHeight / this.scale) / 2, 0);
      this.apply();
    }
    this.listen();
    new ResizeObserver(() => this.apply()).observe(svg);
  }

  Map2.prototype.apply = function () {
    const w = this.svg.clientWidth, h = this.svg.clientHeight;
    if (w > 0 && h > 0)
      this.svg.setAttribute('viewBox',
        [this.x, this.y, w / this.scale, h / this.scale].join(' '));
  };

  Map2.prototype.fit = function () {
    const w = this.svg.clientWidth, h = this.svg.clientHeight;
    this.scale = Math.min(w / this.width, h / this.height, 1.25);
    this.x = this.origin + (this.width - w / this.scale) / 2;
    this.y = this.origin + (this.height - h / this.scale) / 2;
    this.apply();
  };

  Map2.prototype.zoom = function (factor, px, py) {
    const box = this.svg.getBoundingClientRect();
    const ax = px === undefined ? box.width / 2 : px;
    const ay = py === undefined ? box.height / 2 : py;
    const scale = Math.min(Math.max(this.scale * factor, 0.01), 6);
    this.x += ax / this.scale - ax / scale;
    this.y += ay / this.scale - ay / scale;
    this.scale = scale;
    this.apply();
  };

  Map2.prototype.center = function (box) {
    const w = this.svg.clientWidth, h = this.svg.clientHeight;
    const b = box.getBBox();
    if (this.scale < 0.5) this.scale = 0.8;
    this.x = b.x + Math.min(b.width, w / this.scale) / 2 - w / this.scale / 2;
    this.y = b.y + Math.min(b.height, h / this.scale) / 2 - h / this.scale / 2;
    this.apply();
  };

  Map2.prototype.bring = function (box) {
    const w = this.svg.clientWidth / this.scale, h = this.svg.clientHeight / this.scale;
    const b = box.getBBox();
    if (b.x < this.x || b.y < this.y || b.x + b.width > this.x + w || b.y + b.height > this.y + h)
      this.center(box);
  };

  Map2.prototype.listen = function () {
    const svg = this.svg;
    let at = null;
    svg.addEventListener('wheel', (event) => {
      const box = svg.getBoundingClientRect();
      const lines = event.deltaMode === 1 ? 30 : 1;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * lines * 0.0015), event.clientX - box.left,
                event.clientY - box.top);
    }, { passive: false });
    svg.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      at = [event.clientX, event.clientY, this.x, this.y];
      this.moved = false;
    });
    svg.addEventListener('pointermove', (event) => {
      if (!at) return;
      const dx = event.clientX - at[0], dy = event.clientY - at[1];
      if (!this.moved && Math.hypot(dx, dy) < 4) return;
      if (!this.moved) {
        this.moved = true;
        svg.setPointerCapture(event.pointerId);
        svg.classList.add('drag');
      }
      this.x = at[2] - dx / this.scale;
      this.y = at[3] - dy / this.scale;
      this.apply();
    });
    const end = () => {
      at = null;
      svg.classList.remove('drag');
    };
    svg.addEventListener('pointerup', end);
    svg.addEventListener('pointercancel', end);
    svg.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '+' || event.key === '=') this.zoom(1.4);
      else if (event.key === '-') this.zoom(1 / 1.4);
      else if (event.key === '0') this.fit();
      else if (event.target === svg && event.key.startsWith('Arrow')) {
        const step = 60 / this.scale;
        this.x += { ArrowLeft: -step, ArrowRight: step }[event.key] || 0;
        this.y += { ArrowUp: -step, ArrowDown: step }[event.key] || 0;
        this.apply();
      } else return;
      event.preventDefault();
    });
  };

  document.documentElement.classList.add('js');
  const roots = Array.from(document.querySelectorAll('section.model'));
  const chooser = document.getElementById('chooser');
  const choose = (n) => {
    roots.forEach((root, i) => { root.hidden = i !== n; });
    if (!models[n]) models[n] = new Model(roots[n]);
  };
  if (chooser) {
    chooser.value = '0';
    chooser.addEventListener('change', () => choose(Number(chooser.value)));
  }
  choose(0);
}());
