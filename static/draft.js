// What the form of an inquiry shows after its draft was saved: what is still needed, and beside each
// field what the server found. Its texts are the server's. A field is not corrected while the user is
// in it, and an error that came with the page remains until its field is changed.
(() => {
  'use strict';
  const changed = new WeakSet();
  document.addEventListener('input', e => {
    const form = e.target.closest?.('form[data-autosave]');
    changed.add(e.target);
    if (form && e.target.dataset.secret == null) saved(form, 'Unsaved changes');
  });

  function saved(form, text) {
    const shown = form.querySelector('[data-saved]');
    if (shown) shown.textContent = text;
  }

  // A page announces its first save, and a save that failed.
  function announce(text) {
    const region = document.getElementById('said');
    if (region) region.textContent = text;
  }

  function icon(name) {
    const ns = 'http://www.w3.org/2000/svg', svg = document.createElementNS(ns, 'svg'), use = document.createElementNS(ns, 'use');
    svg.setAttribute('class', 'ic');
    svg.setAttribute('aria-hidden', 'true');
    use.setAttribute('href', iconAddress(name));
    svg.append(use);
    return svg;
  }

  const iconAddress = name => document.querySelector('svg.ic use').getAttribute('href').split('#')[0] + '#' + name;

  // note sets the line of one kind below a control; without text, it removes the line.
  function note(field, kind, text, symbol) {
    const {id} = field, box = field.closest('.f'), lineID = id + {err: '-e', fixed: '-s', hint: '-h'}[kind];
    let line = box && box.querySelector('p.' + kind);
    if (!box || (line ? line.textContent.trim() : '') === text) return;
    line?.remove();
    const ids = (field.getAttribute('aria-describedby') || '').split(' ').filter(x => x && x !== lineID);
    if (text) {
      line = document.createElement('p');
      line.className = kind;
      line.id = lineID;
      const words = document.createElement('span');
      words.textContent = text;
      line.append(...symbol ? [icon(symbol), words] : [text]);
      box.append(line);
      ids.unshift(lineID);
    }
    if (ids.length) field.setAttribute('aria-describedby', ids.join(' ')); else field.removeAttribute('aria-describedby');
  }

  function problem(field, text) {
    note(field, 'err', text, 'octagon-alert');
    const group = field.type === 'radio' ? field.closest('fieldset') : field;
    if (text) group.setAttribute('aria-invalid', 'true'); else group.removeAttribute('aria-invalid');
  }

  function fields(form, {problems, corrections, hints}) {
    const text = (notes, name) => notes.find(n => n.name === name)?.text || '';
    for (const field of form.elements) {
      const {name} = field;
      if (!name || !field.id && field.type !== 'radio' || !changed.has(field)) continue;
      if (field === document.activeElement && field.matches('input:not([type="radio"], [type="checkbox"])')) continue;
      if (field.value || text(problems, name)) problem(field, text(problems, name));
      if (field.type !== 'radio' && field.type !== 'checkbox') note(field, 'fixed', text(corrections, name), 'check');
    }
    for (const {name, text: hint} of hints || []) if (form.elements[name]) note(form.elements[name], 'hint', hint);
    const summary = form.querySelector('#complaints');
    if (summary && !form.querySelector('[aria-invalid="true"]')) summary.remove();
  }

  function sections(all) {
    for (const {id, note: text, done, entered} of all) {
      const link = document.querySelector(`.sections a[href="#${id}"]`);
      if (!link) continue;
      link.classList.toggle('ok', done);
      link.querySelector('use').setAttribute('href', iconAddress(done ? 'circle-check' : 'circle-dashed'));
      link.querySelector('.entered').textContent = entered;
      let small = link.querySelector('small');
      if (!text) small?.remove();
      else {
        if (!small) link.querySelector('.entered').before(small = document.createElement('small'));
        small.textContent = text;
      }
    }
  }

  // A question appears when an entry is unlikely. Its answer counts only for the text that was shown.
  function questions(form, asked) {
    for (const box of form.querySelectorAll('[data-question]')) {
      const text = asked.find(q => q.name === box.dataset.question)?.text || '', shown = box.querySelector('p');
      box.hidden = !text;
      if (shown.textContent === text) continue;
      shown.textContent = text;
      const answer = box.querySelector('input');
      answer.checked = false;
      problem(answer, '');
    }
  }

  // The city and state of a ZIP code that the user changed are filled in where nothing was typed. What was
  // filled in follows the ZIP code until the user changes it.
  const filled = new WeakMap();

  function places(form, all) {
    for (const {address, city, state} of all || []) {
      const at = name => form.elements[`${address}.${name}`];
      const open = field => field && (!field.value.trim() || filled.get(field) === field.value);
      if (!changed.has(at('zip')) || !open(at('state')) && at('state').value !== state) continue;
      for (const [field, value] of [[at('city'), city], [at('state'), state]]) {
        if (!open(field) || field.value === value) continue;
        field.value = value;
        filled.set(field, value);
        changed.add(field);
        if (field === document.activeElement) field.select?.();
        field.dispatchEvent(new Event('change', {bubbles: true}));
        announce(`Filled in from the ZIP: ${city}, ${state}`);
      }
    }
  }

  // The borrower lives at a primary residence unless the user says otherwise: until the user changes the box, it follows
  // the occupancy. A box that came in another state was changed before. A typed home address stays visible.
  document.addEventListener('change', ({target}) => {
    const form = target.closest?.('form[data-autosave]'), box = form?.elements.homeIsProperty;
    if (!box) return;
    const home = form.querySelector('.elsewhere'), typed = [...home.querySelectorAll('input, select')].some(f => f.value.trim());
    home.classList.toggle('typed', typed);
    if (target.name !== 'property.propertyType') return;
    const came = [...target.options].find(o => o.defaultSelected)?.value, primary = target.value === 'PRIMARY';
    const follows = !changed.has(box) && box.defaultChecked === (came === 'PRIMARY');
    if (follows && !(primary && typed)) box.checked = primary;
    else changed.add(box); // what is wrong with it is shown beside it
  });

  // While a button of the mouse is down, nothing moves: a line that appears above the button under it
  // would take the click away.
  let pressed = false, waiting = [];
  for (const [type, down] of [['pointerdown', true], ['pointerup', false], ['pointercancel', false]]) {
    addEventListener(type, () => {
      pressed = down;
      if (!down) for (const show of waiting.splice(0)) setTimeout(show);
    }, true);
  }

  document.addEventListener('draft', ({target, detail}) => {
    const show = () => showDraft(target, detail);
    if (pressed) waiting.push(show); else show();
  });

  // A form without a draft is only checked, when the user leaves a field. Secrets are not among what is checked.
  // Only the newest answer counts.
  let checks = 0;
  document.addEventListener('change', async ({target}) => {
    const form = target.closest?.('form[data-check]');
    if (!form || target.dataset.secret != null) return;
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (form.elements[name]?.dataset?.secret == null) body.append(name, value);
    }
    body.set('make', 'check');
    const nth = ++checks;
    const answer = await fetch(form.dataset.check, {
      mode: 'same-origin', method: 'POST', headers: {'HX-Request': 'true', 'HX-Request-Type': 'full'}, body,
    }).catch(() => null);
    if (!answer?.ok || answer.redirected) return; // the check is repeated when the form is sent
    const detail = await answer.json();
    const show = () => {
      if (nth !== checks) return;
      fields(form, detail);
      places(form, detail.places);
    };
    if (pressed) waiting.push(show); else show();
  });

  function showDraft(form, detail) {
    const failure = {true: 'Not saved. This draft was sent or transferred.', false: 'Not saved. Trying again…'}[detail.over];
    saved(form, failure || detail.saved);
    announce(failure || 'Draft saved');
    if (failure) return;
    const needed = form.querySelector('[data-needed]');
    if (needed) needed.textContent = detail.needed;
    sections(detail.sections);
    fields(form, detail);
    questions(form, detail.questions);
    places(form, detail.places);
  }
})();
