// data-copy="…": the button copies this text. Browsers may forbid that, especially in a
// frame: then the script selects the text in its field and explains how to copy it. Only
// the pages of a single lead or draft have such a button, so this file is served to them
// together with pending_form.js.
document.addEventListener('click', async e => {
  'use strict';
  const button = e.target.closest?.('[data-copy]'), text = button?.dataset.copy;
  if (!button) return;
  const label = button.querySelector('[data-label]') || button, said = document.getElementById('said');
  button.parentElement.querySelector('.not-copied')?.remove();
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = [...document.querySelectorAll('input, textarea')].find(f => f.value === text);
    const key = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘C' : 'Ctrl+C', note = document.createElement('p');
    field?.focus();
    field?.select();
    note.className = 'not-copied sm';
    note.setAttribute('role', 'status');
    button.after(note);
    note.textContent = 'Not copied: the browser doesn’t allow it here.' + (field ? ` The text is selected. Press ${key} to copy it.` : '');
    return;
  }
  const was = label.dataset.was ??= label.textContent;
  label.textContent = 'Copied';
  if (said) said.textContent = 'Copied';
  setTimeout(() => { label.textContent = was; }, 2000);
});
