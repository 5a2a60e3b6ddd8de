// A loan file that is dropped anywhere on the page of a new inquiry is imported, as if it had been
// chosen and the button pressed. Closing the report of an import saves the draft in the usual way, so
// that an SSN that was typed stays in its field.
(() => {
  'use strict';
  const zone = () => document.querySelector('[data-import]');
  const hasFile = e => zone() && e.dataTransfer?.types.includes('Files');

  document.addEventListener('dragover', e => {
    if (!hasFile(e)) return;
    e.preventDefault();
    e.dataTransfer.dropEffect = 'copy';
    zone().closest('details').open = true;
    zone().classList.add('over');
  });
  document.addEventListener('dragleave', e => { if (!e.relatedTarget) zone()?.classList.remove('over'); });

  document.addEventListener('drop', e => {
    if (!hasFile(e)) return;
    e.preventDefault();
    zone().classList.remove('over');
    const {files} = e.dataTransfer, input = zone().querySelector('input[type="file"]');
    if (files.length !== 1) {
      document.getElementById('said').textContent = 'Drop one file';
      return;
    }
    input.files = files;
    input.form.requestSubmit(zone().querySelector('button'));
  });

  document.addEventListener('click', e => {
    const button = e.target.closest?.('[data-import-close]');
    if (!button) return;
    e.preventDefault();
    const {form, name, value} = button, closed = document.createElement('input');
    Object.assign(closed, {type: 'hidden', name, value});
    form.append(closed);
    button.closest('section').remove();
    form.querySelector('#import summary').focus();
    closed.dispatchEvent(new Event('change', {bubbles: true}));
  });
})();
