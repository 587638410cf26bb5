// A page in Chromium, for test.mjs, controlled by Chromium's DevTools protocol through two pipes. The page reports what it
// shows in the same way as the window does for tests/window.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const patience = 60000;
export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

export class Chromium {
  constructor() {
    this.process = spawn('chromium', ['--headless=new', '--no-sandbox', '--no-first-run', '--disable-dev-shm-usage', '--remote-debugging-pipe',
      '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
      `--user-data-dir=/tmp/chromium-${process.pid}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    this.waiting = new Map();
    this.listeners = [];
    this.serial = 0;
    let said = '';
    this.process.stdio[4].on('data', (data) => {
      const parts = (said + data).split('\0');
      said = parts.pop();
      for (const part of parts) {
        const message = JSON.parse(part);
        if (message.id) {
          const { done, fail } = this.waiting.get(message.id) ?? {};
          if (!this.waiting.delete(message.id)) continue; // too late
          message.error ? fail(new Error(message.error.message)) : done(message.result);
        } else {
          for (const listener of this.listeners) listener(message);
        }
      }
    });
  }
  send(method, params = {}, sessionId = undefined) {
    const id = ++this.serial;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail });
      setTimeout(() => this.waiting.delete(id) && fail(new Error(`no answer to ${method} in ${patience / 1000} s`)), patience).unref();
    });
  }
}

export class Page {
  static async open(chromium, url, folder, { width = 1440, height = 900, touch = false } = {}) {
    const page = new Page();
    page.chromium = chromium;
    page.folder = folder;
    const { targetId } = await chromium.send('Target.createTarget', { url: 'about:blank' });
    page.target = targetId;
    ({ sessionId: page.session } = await chromium.send('Target.attachToTarget', { targetId, flatten: true }));
    page.said = [];
    chromium.listeners.push((message) => {
      if (message.sessionId !== page.session) return;
      if (message.method === 'Runtime.consoleAPICalled') page.said.push(message.params.args.map((one) => one.value ?? one.description).join(' '));
      if (message.method === 'Runtime.exceptionThrown') page.said.push('exception: ' + (message.params.exceptionDetails.exception?.description ?? message.params.exceptionDetails.text));
    });
    for (const domain of ['Page', 'Runtime']) await page.do(domain + '.enable');
    await page.do('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: touch });
    if (touch) await page.do('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
    await page.do('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder + '/saved' });
    page.began = Date.now();
    await page.do('Page.navigate', { url });
    await page.until('the first picture', () => page.ask('window.Module && Module.shownAt || 0'));
    page.shown = await page.ask('Module.shownAt');
    return page;
  }
  do(method, params) { return this.chromium.send(method, params, this.session); }
  async ask(expression) {
    const { result, exceptionDetails } = await this.do('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
  async until(what, holds, most = patience) {
    for (const begin = Date.now(); Date.now() - begin < most; await sleep(50)) {
      const value = await holds();
      if (value) return value;
    }
    throw new Error(`waited in vain for ${what}; the page says: ${this.said.slice(-5).join(' | ')}; it shows: ${JSON.stringify({ ...(await this.report()), widgets: undefined, document: undefined })}`);
  }
  async report() { return JSON.parse((await this.ask("Module.ccall('page_report', 'string')")) || '{}'); }
  shows(what, holds, most = patience) {
    return this.until(what, async () => {
      const report = await this.report();
      return report.widgets && holds(report) ? report : null;
    }, most);
  }
  async place(widget, across = 0.5, down = 0.5) {
    const report = await this.shows(`a control named ${widget}`, (r) => r.widgets.some((w) => w[0] === widget));
    const [, x, y, w, h] = report.widgets.findLast((one) => one[0] === widget);
    return { x: x + w * across, y: y + h * down };
  }
  async click(widget, across, down) {
    const at = await this.place(widget, across, down);
    await this.do('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at });
    await sleep(60);
    for (const type of ['mousePressed', 'mouseReleased']) {
      await this.do('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 });
      await sleep(60);
    }
  }
  // A drag with the pointer, between two points of a control.
  async drag(widget, from, to) {
    const a = await this.place(widget, ...from), b = await this.place(widget, ...to);
    const move = async (type, at) => {
      await this.do('Input.dispatchMouseEvent', { type, ...at, button: type === 'mouseMoved' ? 'none' : 'left', buttons: 1, clickCount: 1 });
      await sleep(60);
    };
    await move('mouseMoved', a);
    await move('mousePressed', a);
    for (let i = 1; i <= 4; ++i) await move('mouseMoved', { x: a.x + ((b.x - a.x) * i) / 4, y: a.y + ((b.y - a.y) * i) / 4 });
    await move('mouseReleased', b);
  }
  // Fingers: each is a list of points, which all of them follow at the same time.
  async fingers(...paths) {
    const at = (i) => paths.map((path, id) => ({ ...path[i], id }));
    await this.do('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0).slice(0, 1) });
    await sleep(60);
    if (paths.length > 1) await this.do('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
    for (let i = 1; i < paths[0].length; ++i) {
      await sleep(60);
      await this.do('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(i) });
    }
    await this.do('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await sleep(60);
  }
  async command(letter) { // Ctrl and a letter
    await this.do('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Control', code: 'ControlLeft', windowsVirtualKeyCode: 17, modifiers: 2 });
    await this.key(letter, 'Key' + letter.toUpperCase(), letter.toUpperCase().charCodeAt(0), 2);
    await this.do('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Control', code: 'ControlLeft', windowsVirtualKeyCode: 17 });
  }
  async drop(...files) {
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) await this.do('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  }
  lines() { return this.ask(`[...document.getElementById('words').children].map((one) => one.textContent)`); }
  words() { return this.ask(`document.getElementById('words').textContent`); }
  async key(key, code, number, modifiers = 0, text = undefined) {
    for (const type of ['keyDown', 'keyUp'])
      await this.do('Input.dispatchKeyEvent', { type, key, code, windowsVirtualKeyCode: number, modifiers, ...(type === 'keyDown' && text ? { text } : {}) });
    await sleep(40);
  }
  select_all() { return this.command('a'); }
  async type(text) {
    for (const sign of text) {
      const code = { ' ': 'Space', "'": 'Quote' }[sign] ?? 'Key' + sign.toUpperCase();
      await this.key(sign, code, sign === "'" ? 222 : sign.toUpperCase().charCodeAt(0), 0, sign);
    }
  }
  async picture(name) {
    const { data } = await this.do('Page.captureScreenshot', { format: 'png' });
    writeFileSync(`${this.folder}/${name}.png`, Buffer.from(data, 'base64'));
  }
  async close() { await this.chromium.send('Target.closeTarget', { targetId: this.target }); }
}
