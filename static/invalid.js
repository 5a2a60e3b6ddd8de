// Forms: Ctrl+Enter submits them. Missing entries are marked at their controls before a form is sent, as an SSN in it would
// have to be typed again. Forms have novalidate: the browser shows no messages, and without
// this file the server says what is missing. Only forms whose dates may be empty have the
// browser's check, because a date that is not complete would be dropped. Served after pending_form.js
// in one file.
(() => {
  'use strict';
  const doc = document, on = (type, fn, opts) => doc.addEventListener(type, fn, opts);

  function faultOf(el) {
    const v = el.validity;
    if (v.badInput) return 'Enter the complete date or time.';
    if (!v.valueMissing) return el.validationMessage;
    return {checkbox: 'Check this box to continue.', radio: 'Choose one.', 'select-one': 'Choose one.', file: 'Choose a file.'}[el.type] || 'Fill in this field.';
  }

  const groupOf = el => el.type === 'radio' && (el.closest('fieldset') || el.closest('table')) || el;
  const noteOf = el => doc.getElementById((groupOf(el).id || el.name) + '-e');

  const ours = new WeakSet(); // messages of this file
  function sayFault(el) {
    const group = groupOf(el), place = el.closest('fieldset, .f, table') || el.parentElement;
    let note = noteOf(el);
    if (!note) {
      note = doc.createElement('p');
      note.id = (group.id || el.name) + '-e';
      if (place.matches('table')) place.after(note); else place.append(note);
      group.setAttribute('aria-describedby', `${group.getAttribute('aria-describedby') || ''} ${note.id}`.trim());
    }
    ours.add(note);
    note.className = 'err';
    note.textContent = faultOf(el);
    group.setAttribute('aria-invalid', 'true');
  }

  let faulty; // the first control of a form that is not valid
  on('invalid', e => {
    e.preventDefault();
    sayFault(e.target);
    if (!faulty) setTimeout(() => {
      faulty.focus();
      faulty = null;
    });
    faulty ||= e.target;
  }, true);

  on('submit', e => {
    if (!e.target.noValidate || e.submitter?.formNoValidate) return;
    // The server cleans a pasted email, so one that the browser finds wrong is sent.
    const wrong = [...e.target.elements].filter(el => el.willValidate && (el.validity.valueMissing || el.validity.badInput));
    if (!wrong.length) return;
    wrong.forEach(el => el.checkValidity());
    e.preventDefault();
    e.stopImmediatePropagation();
  }, true);

  // Not on change: a press of the mouse on a button changes the control before it, the button moves up
  // as the message goes, and the release beside it is no click. A message of the server stays, because
  // only the server knows whether the new value is right.
  on('input', e => {
    const el = e.target, note = el.validity?.valid && noteOf(el);
    if (!ours.has(note)) return;
    note.remove();
    groupOf(el).removeAttribute('aria-invalid');
  });

  // Ctrl+Enter presses the button that has the focus, the button of the form's primary action, or the form's first one.
  on('keydown', e => {
    const form = e.target.form ?? e.target.closest('form');
    if (e.key !== 'Enter' || e.ctrlKey === e.metaKey || e.repeat || form?.method !== 'post' || e.target.matches('a')) return;
    e.preventDefault();
    const buttons = [...form.elements].filter(el => el.type === 'submit');
    const button = [e.target, buttons.find(el => el.matches('.pri')), buttons.find(el => el.checkVisibility())]
      .find(el => buttons.includes(el));
    if (button?.checkVisibility()) button.click();
  });
})();
