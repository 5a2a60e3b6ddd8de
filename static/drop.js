// A loan file that is dropped anywhere on a list or on a new inquiry is sent to its review, as if it had been chosen there
// and the button pressed. While it is over the page, the place that takes it is marked.
(() => {
  'use strict';
  const doc = document, zone = () => doc.querySelector('[data-import]');
  const mark = over => zone()?.classList.toggle('over', over);
  for (const type of ['dragover', 'dragleave', 'drop']) doc.addEventListener(type, e => {
    if (type === 'dragleave') return e.relatedTarget || mark(false);
    const files = e.dataTransfer?.files, box = zone();
    if (!box || !e.dataTransfer?.types.includes('Files')) return;
    e.preventDefault();
    mark(type === 'dragover');
    const fold = box.closest('details'), input = box.querySelector('[type="file"]');
    if (fold) fold.open = true;
    if (type === 'dragover') return box.scrollIntoView({block: 'nearest'});
    if (files.length !== 1) return doc.getElementById('said').textContent = 'Drop one file';
    input.files = files;
    input.form.requestSubmit(box.querySelector('button'));
  });
})();
