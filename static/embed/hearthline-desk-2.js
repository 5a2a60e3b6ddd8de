// <hearthline-desk launch="https://desk.example/launch/jwt/acme" token-url="/launch-token?record=7"></hearthline-desk>
//
// The desk in a CRM's page: creates the frame, posts the launch token to it, adjusts its height,
// and reports which part of it is visible.
//
//   launch      the launch URL that the administrator's page shows
//   token       a launch token that your server has just signed; or
//   token-url   where your server answers a POST with one, in the text of the response
//   label       the title of the frame; "Hearthline" without it
//
// Events (they bubble): "change" when the record's lead has changed, with its step in
// event.detail.step; "select" when an offer was selected; "expired" before the record is
// launched again, unless a listener calls preventDefault(); "error" if no token could be obtained.
class HearthlineDesk extends HTMLElement {
  static observedAttributes = ['launch', 'token', 'token-url'];
  #frame; #portal; #seen; #here; #ready; #queued; #soon; #latest;

  connectedCallback() {
    this.style.display ||= 'block';
    this.#here = new AbortController();
    for (const type of ['message', 'scroll', 'resize']) {
      addEventListener(type, this, {capture: true, passive: true, signal: this.#here.signal});
    }
    this.#seen = new IntersectionObserver(() => this.#report(), {threshold: Array.from({length: 101}, (_, i) => i / 100)});
    this.#launch();
  }

  disconnectedCallback() {
    this.#here.abort();
    this.#seen.disconnect();
    this.#frame?.remove();
    this.#frame = this.#ready = null;
  }

  // A new record needs a new token, and shows in a new frame.
  attributeChangedCallback(name, before, now) {
    if (this.#here && this.isConnected && before !== now && now) this.#launch();
  }

  async #token(first) {
    const url = this.getAttribute('token-url'), token = first && this.getAttribute('token');
    if (token) return token;
    if (!url) throw new Error('no token-url');
    const r = await fetch(url, {method: 'POST', credentials: 'same-origin'});
    if (!r.ok) throw new Error('token-url: ' + r.status);
    return (await r.text()).trim();
  }

  // Changing several attributes at once causes one launch. A token that arrives after a later launch began is dropped, and
  // the previous record is hidden at once.
  #launch(again) {
    const id = this.#latest = {};
    if (!again && this.#frame) this.#frame.style.visibility = 'hidden';
    clearTimeout(this.#soon);
    this.#soon = setTimeout(async () => {
      const launch = this.getAttribute('launch');
      if (!launch) return;
      try {
        const token = await this.#token(!again);
        if (!this.isConnected || id !== this.#latest) return;
        this.#portal = new URL(launch).origin;
        const frame = this.#addFrame(), form = document.createElement('form');
        Object.assign(form, {method: 'post', action: launch, target: frame.name, hidden: true});
        const field = document.createElement('input');
        Object.assign(field, {type: 'hidden', name: 'launch_token', value: token});
        form.append(field);
        this.append(form);
        this.#latest = null;
        form.submit();
        form.remove();
      } catch (error) {
        if (id !== this.#latest) return;
        this.#latest = null;
        if (!again) this.#frame = this.#ready = this.#frame?.remove();
        this.dispatchEvent(new ErrorEvent('error', {bubbles: true, error, message: error.message}));
      }
    });
  }

  // A second launch in the same frame would be an entry in the history of the host page: its Back button would then show
  // the previous record's desk beside this record.
  #addFrame() {
    const before = this.#frame, frame = this.#frame = document.createElement('iframe');
    frame.name = 'hearthline-' + Math.random().toString(36).slice(2);
    frame.title = this.getAttribute('label') || 'Hearthline';
    frame.allow = 'clipboard-write ' + this.#portal;
    for (const may of ['scripts', 'forms', 'same-origin', 'popups', 'popups-to-escape-sandbox', 'downloads']) {
      frame.sandbox.add('allow-' + may);
    }
    frame.style.cssText = 'display:block;width:100%;height:420px;border:0';
    if (before) {
      frame.style.height = before.style.height;
      this.#seen.unobserve(before);
      before.remove();
    }
    this.#ready = false;
    this.append(frame);
    this.#seen.observe(frame);
    return frame;
  }

  handleEvent(event) {
    if (event.type !== 'message') return this.#report();
    const {origin, source, data} = event;
    if (!this.#frame || origin !== this.#portal || source !== this.#frame.contentWindow || data?.v !== 1) return;
    const tell = (type, more) => this.dispatchEvent(new CustomEvent(type, {bubbles: true, ...more}));
    this.#ready = true;
    switch (data.type) {
      case 'portal.resize':
        if (data.h > 0) this.#frame.style.height = data.h + 'px';
        return this.#report();
      case 'portal.changed': return tell('change', {detail: {step: data.step}});
      case 'portal.selected': return tell('select');
      case 'portal.expired': if (tell('expired', {cancelable: true})) this.#launch(true);
    }
  }

  #report() {
    if (this.#queued || !this.#ready) return;
    this.#queued = requestAnimationFrame(() => {
      this.#queued = 0;
      const frame = this.#frame, {top, height} = frame?.getBoundingClientRect() ?? {};
      if (!frame) return;
      const from = Math.max(0, -top), to = Math.min(height, innerHeight - top);
      if (to > from) frame.contentWindow.postMessage({v: 1, type: 'host.viewport', top: from, bottom: to}, this.#portal);
    });
  }
}
if (!customElements.get('hearthline-desk')) customElements.define('hearthline-desk', HearthlineDesk);
