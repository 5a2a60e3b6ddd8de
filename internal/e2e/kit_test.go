package e2e

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"hearthline/internal/launch"
	"hearthline/views/help"
	"hearthline/views/to"
)

// kit is a folder with the Node files of the help, filled in for a portal.
type kit struct {
	t      *testing.T
	node   string
	folder string
}

// newKit downloads the files as a developer does. Without Node the test is skipped, or fails when PORTAL_TEST_REQUIRE
// says so.
func newKit(t *testing.T, portal string) kit {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		if strings.Contains(os.Getenv("PORTAL_TEST_REQUIRE"), "node") {
			t.Fatal("PORTAL_TEST_REQUIRE includes node, but there is none")
		}
		t.Skip("there is no Node")
	}
	k := kit{t, node, t.TempDir()}
	for _, name := range []string{"hearthline.mjs", "server.mjs"} {
		text, ok := help.Download(name, portal)
		if !ok {
			t.Fatalf("%s cannot be downloaded", name)
		}
		k.write(name, text)
	}
	return k
}

func (k kit) write(name string, content []byte) {
	k.t.Helper()
	if err := os.WriteFile(filepath.Join(k.folder, name), content, 0o600); err != nil {
		k.t.Fatal(err)
	}
}

func (k kit) command(env []string, args ...string) *exec.Cmd {
	command := exec.CommandContext(k.t.Context(), k.node, args...)
	command.Dir, command.Env = k.folder, append(os.Environ(), env...)
	return command
}

// run runs a program and returns what it prints.
func (k kit) run(env []string, args ...string) string {
	k.t.Helper()
	command := k.command(env, args...)
	var problem strings.Builder
	command.Stderr = &problem
	out, err := command.Output()
	if err != nil {
		k.t.Fatalf("node %v: %v\n%s", args, err, problem.String())
	}
	return strings.TrimSpace(string(out))
}

// TestKit_Keys_SignsLaunch registers keys of each kind as the help describes, and signs with them. A certificate is as
// Salesforce provides one.
func TestKit_Keys_SignsLaunch(t *testing.T) {
	t.Parallel()
	k := newKit(t, "https://desk.example")
	pkcs8 := func(name string, key crypto.Signer, err error) {
		if err != nil {
			t.Fatal(err)
		}
		der, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		k.write(name, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	}
	p256, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	pkcs8("p256.pem", p256, err)
	own, err := rsa.GenerateKey(rand.Reader, 2048)
	pkcs8("rsa.pem", own, err)
	k.write("run.mjs", []byte(`import { readFileSync } from 'node:fs';
import { Hearthline } from './hearthline.mjs';
const kit = new Hearthline({ launch: 'https://desk.example/launch/jwt/own', issuer: 'https://crm.example',
  origin: 'https://crm.example', keys: [readFileSync(process.argv[2])] });
console.log(kit.launchToken({ id: 'u-7', name: 'Olivia Béñat', email: 'olivia@summit.test' },
  { type: 'deal', id: '51', prefill: { 'applicant.name.lastName': 'Rivera' } }));`))
	for _, file := range []string{"new.pem", "p256.pem", "rsa.pem"} {
		printed := k.run(nil, "hearthline.mjs", "keys", file)
		if again := k.run(nil, "hearthline.mjs", "keys", file); again != printed || strings.Contains(printed, `"d"`) {
			t.Fatalf("%s: it prints %s, then %s", file, printed, again)
		}
		keys, err := launch.ParseKeys([]byte(printed))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		c := launch.Client{Key: "own", Origins: []string{"https://crm.example"}, Kind: launch.KindToken,
			Issuer: "https://crm.example", Keys: keys}
		token := k.run(nil, "run.mjs", file)
		a, err := launch.VerifyToken(c, "https://desk.example/launch/jwt/own", token, time.Now())
		if err != nil || a.Subject != "u-7" || a.Name != "Olivia Béñat" ||
			a.Record != (launch.Record{Type: "deal", ID: "51"}) || a.Prefill.Get("applicant.name.lastName") != "Rivera" {
			t.Errorf("%s: got %+v, %v", file, a, err)
		}
		if _, err := launch.VerifyToken(c, "https://desk.example/launch/jwt/other", token, time.Now()); err == nil {
			t.Errorf("%s: it is accepted at another address", file)
		}
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &own.PublicKey, own)
	if err != nil {
		t.Fatal(err)
	}
	k.write("certificate.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	keys, err := launch.ParseKeys([]byte(k.run(nil, "hearthline.mjs", "keys", "certificate.pem", "k1")))
	for _, args := range [][]string{{"keys"}, {"keys", "typo.crt"}, {"keys", "typo.pem", "k1"}} {
		if err := k.command(nil, append([]string{"hearthline.mjs"}, args...)...).Run(); err == nil {
			t.Errorf("%v made a key", args)
		}
	}
	if err != nil || len(keys.Keys) != 1 || keys.Keys[0].KeyID != "k1" || !own.PublicKey.Equal(keys.Keys[0].Key) {
		t.Errorf("got %+v, %v, want the certificate's key", keys, err)
	}
}

// TestKit_Events_Verified checks what the kit does with events: rotated secrets, forged and old ones, repeated ones and
// those that arrive late, and a failure of the CRM's own code.
func TestKit_Events_Verified(t *testing.T) {
	t.Parallel()
	k := newKit(t, "https://desk.example")
	k.run(nil, "hearthline.mjs", "keys", "launch-key.pem")
	k.write("run.mjs", []byte(`import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Hearthline } from './hearthline.mjs';

const [now, next, other] = ['whsec_bm93bm93', 'whsec_bmV4dA==', 'whsec_b3RoZXI='];
const values = {}, applied = [];
let failing = false;
const kit = new Hearthline({ launch: 'https://desk.example/launch/jwt/own', issuer: 'i', origin: 'https://crm.example',
  keys: [readFileSync('launch-key.pem')], secrets: [now, next],
  store: { get: async name => values[name], set: async (name, value) => { values[name] = value; } },
  onEvent: event => { if (failing) throw new Error('down'); applied.push(event.number); } });
const lists = [];
kit.leads = async query => (lists.push(query.changed_since), { leads: [], cursor: 'c', more: false });
const server = createServer(async (request, response) => {
  try { await kit.handle(request, response, { user: () => null }); } catch { response.writeHead(500).end(); }
}).listen(0, '127.0.0.1', async () => {
  const at = 'http://127.0.0.1:' + server.address().port;
  const post = async (number, how = {}) => {
    const { secrets = [now], age = 0, type = 'lead.step_changed', changed = body => body } = how;
    const id = 'evt_' + number, time = Math.floor(Date.now() / 1000) - age;
    const body = JSON.stringify({ id, type, application: 'a', number });
    const signatures = secrets.map(s => 'v1,' + createHmac('sha256', Buffer.from(s.slice(6), 'base64'))
      .update(id + '.' + time + '.' + body).digest('base64'));
    const { status } = await fetch(at + '/hearthline/events', { method: 'POST', body: changed(body), headers: {
      'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures.join(' ') } });
    return status;
  };
  assert.equal(await post(0, { type: 'test' }), 204);
  assert.equal(await post(10), 204);
  assert.equal(await post(11, { secrets: [other, next] }), 204);
  for (const wrong of [{ secrets: [other] }, { secrets: [] }, { age: 301 }, { age: -301 },
    { changed: body => body.replace('"number":12', '"number":99') }]) assert.equal(await post(12, wrong), 401);
  assert.equal(await post(13, { changed: () => 'x'.repeat(70000) }), 413);
  failing = true;
  assert.equal(await post(14), 500);
  failing = false;
  assert.equal(await post(14), 204);
  for (const again of [14, 11, 10]) assert.equal(await post(again), 204);
  assert.deepEqual(applied, [10, 11, 14]);
  assert.equal(lists[0], undefined);
  assert.equal(lists.at(-1), 'c');
  await kit.sync(); // let the events' syncs finish
  kit.leads = async query => (lists.push(query.changed_since), query.changed_since
    ? { leads: ['second'], cursor: 'e', more: false } : { leads: ['first'], cursor: 'd', more: true });
  let replaced, during;
  const rebuilt = kit.rebuild(async leads => { replaced = leads; during = lists.length; });
  await Promise.all([rebuilt, kit.sync()]);
  assert.deepEqual(replaced, ['first', 'second']);
  assert.deepEqual(lists.slice(during - 2), [undefined, 'd', 'e']); // the sync waits, then continues there
  assert.equal((await fetch(at + '/hearthline/token?type=deal&id=51', { method: 'POST' })).status, 401);
  const keys = await (await fetch(at + '/hearthline/keys')).json();
  assert.deepEqual(keys, kit.publicKeys);
  console.log('ok');
  server.close();
  server.closeAllConnections();
});`))
	if got := k.run(nil, "run.mjs"); got != "ok" {
		t.Errorf("got %s", got)
	}
}

// TestKit_ServerWorksWithPortal starts the help's CRM beside a portal as the help describes: a user opens a contact
// and sends an inquiry in the frame, and the CRM's list and task follow from the events.
func TestKit_ServerWorksWithPortal(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t, "SANDBOX_PROCESSING=300ms")
	k := newKit(t, d.url)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	_ = free.Close()
	crm := "http://127.0.0.1:" + port
	k.write("keys.json", []byte(k.run(nil, "hearthline.mjs", "keys", "launch-key.pem")))
	broker := regexp.MustCompile(`sample-jwt\s+Sample CRM \(token\)\s+jwt\s+(\S+)`).
		FindStringSubmatch(d.runCommand(t, "embed", "list"))
	if broker == nil {
		t.Fatal("the list of CRMs names no company")
	}
	d.runCommand(t, "embed", "add", "kit", "--name", "Kit", "--broker", broker[1], "--kind", "jwt", "--origin", crm,
		"--issuer", crm, "--keys-file", filepath.Join(k.folder, "keys.json"))
	d.runCommand(t, "embed", "attest", "kit", "--by", "The test")
	admin := d.signIn(t, "admin@hearthline.test")
	secret, _ := admin.send(form{action: to.EmbedEventSecret("kit")}).Find(`input[name="secret"]`).Attr("value")

	var log outputBuffer
	server := k.command([]string{"PORT=" + port, "HEARTHLINE_LAUNCH=" + d.url + "/launch/jwt/kit",
		"HEARTHLINE_SECRETS=" + secret}, "server.mjs")
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Wait() }) // its context ends before
	t.Cleanup(func() {
		_ = server.Process.Kill()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	waitFor(t, stepTimeout, "the CRM", func() bool { return strings.Contains(log.String(), "Open "+crm) })
	enabled := admin.send(form{to.EmbedEvents("kit"), url.Values{"url": {crm + "/hearthline/events"}, "act": {"test"}}})
	if !strings.Contains(enabled.Find("#endpoint").Text(), "Enabled") {
		t.Fatalf("the endpoint: %s", enabled.Find("#endpoint, .problem").Text())
	}
	res, err := http.Post(crm+"/hearthline/token?type=contact&id=51", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	p := d.signIn(t, "olivia@summit.test")
	d.connectLaunch(t, p, form{d.url + "/launch/jwt/kit", url.Values{"launch_token": {string(p.read(res).body)}}})

	f := d.openFrameBrowser(t, cookiesAllowed)
	f.run("the contact", chromedp.Navigate(crm))
	f.waitForText("Continue as Olivia Bennett")
	f.mouseClick("Continue as", `#continue button`)
	f.frameUntil("the intake", `document.querySelector('[name="applicant.name.lastName"]')?.value === "Rivera"`)
	f.fillMissing(sampleInquiry(t, d))
	f.clickUntilDone("send", sendInquiry, `/\/leads\/[0-9a-f-]{36}$/.test(location.pathname)`)
	waitFor(t, stepTimeout, "the list and the task", func() bool {
		res, err := http.Get(crm)
		if err != nil {
			return false
		}
		text := p.read(res).Text()
		return strings.Contains(text, "offers_available") && strings.Contains(text, "Call about the offers")
	})
}
