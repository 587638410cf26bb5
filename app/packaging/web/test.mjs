// Drives the page in Chromium: test.mjs FOLDER, where attenscope.html lies, and where pictures and figures go. Chromium is
// spoken to by its own protocol through two pipes; the page says what it shows as the window does for tests/window.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';

const folder = process.argv[2];
const patience = 60000;
const figures = {};
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

class Chromium {
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
          const { done, fail } = this.waiting.get(message.id);
          this.waiting.delete(message.id);
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
    return new Promise((done, fail) => this.waiting.set(id, { done, fail }));
  }
}

class Page {
  static async open(chromium, url, { width = 1440, height = 900, touch = false } = {}) {
    const page = new Page();
    page.chromium = chromium;
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
  async until(what, holds) {
    for (const begin = Date.now(); Date.now() - begin < patience; await sleep(50)) {
      const value = await holds();
      if (value) return value;
    }
    throw new Error(`waited in vain for ${what}; the page says: ${this.said.slice(-5).join(' | ')}; it shows: ${JSON.stringify({ ...(await this.report()), widgets: undefined, document: undefined })}`);
  }
  async report() { return JSON.parse((await this.ask("Module.ccall('page_report', 'string')")) || '{}'); }
  shows(what, holds) {
    return this.until(what, async () => {
      const report = await this.report();
      return report.widgets && holds(report) ? report : null;
    });
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
  async key(key, code, number, modifiers = 0, text = undefined) {
    for (const type of ['keyDown', 'keyUp'])
      await this.do('Input.dispatchKeyEvent', { type, key, code, windowsVirtualKeyCode: number, modifiers, ...(type === 'keyDown' && text ? { text } : {}) });
    await sleep(40);
  }
  async select_all() {
    await this.do('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Control', code: 'ControlLeft', windowsVirtualKeyCode: 17, modifiers: 2 });
    await this.key('a', 'KeyA', 65, 2);
    await this.do('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Control', code: 'ControlLeft', windowsVirtualKeyCode: 17 });
  }
  async type(text) {
    for (const sign of text) {
      const code = sign === ' ' ? 'Space' : 'Key' + sign.toUpperCase();
      await this.key(sign, code, sign.toUpperCase().charCodeAt(0), 0, sign);
    }
  }
  async picture(name) {
    const { data } = await this.do('Page.captureScreenshot', { format: 'png' });
    writeFileSync(`${folder}/${name}.png`, Buffer.from(data, 'base64'));
  }
  async close() { await this.chromium.send('Target.closeTarget', { targetId: this.target }); }
}

let failed = 0, passed = 0;
const check = async (what, body) => {
  const begin = Date.now();
  try {
    await body();
    ++passed;
    console.log(`ok      ${what} (${Date.now() - begin} ms)`);
  } catch (problem) {
    ++failed;
    console.log(`FAILED  ${what}: ${problem.message}`);
  }
};
const expect = (holds, what) => { if (!holds) throw new Error(what); };

mkdirSync(folder + '/saved', { recursive: true });
const file = `file://${folder}/attenscope.html`;
const server = createServer((request, answer) => {
  answer.writeHead(200, { 'Content-Type': 'text/html' });
  answer.end(readFileSync(folder + '/attenscope.html'));
}).listen(0, '127.0.0.1');
await new Promise((done) => server.once('listening', done));
const served = `http://127.0.0.1:${server.address().port}/attenscope.html`;
figures.bytes = statSync(folder + '/attenscope.html').size;

const chromium = new Chromium();
let page;

await check('opens from a file, under 3 s', async () => {
  page = await Page.open(chromium, file + '?report&language=en&no-restore');
  figures.first_picture_file_ms = Math.round(page.shown);
  await page.shows('a frame', (r) => r.settled);
  await page.picture('en-1440x900');
});
await check('a sentence is typed', async () => {
  await page.click('text', 0.1);
  await page.shows('the caret', (r) => r.typing);
  await page.select_all();
  await page.type('the tired cat sat down');
  await page.shows('the text', (r) => r.text === 'the tired cat sat down' && r.settled);
});
await check('an input method is typed with', async () => {
  await page.select_all();
  await page.do('Input.imeSetComposition', { text: 'zao', selectionStart: 3, selectionEnd: 3 });
  await page.do('Input.insertText', { text: '早上好' });
  await page.shows('the text', (r) => r.text === '早上好' && r.settled);
  await page.picture('typed');
});
await check('what is copied is pasted', async () => {
  await page.select_all();
  await page.ask(`(() => { const data = new DataTransfer(); data.setData('text/plain', 'a cat sat'); document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data })); })()`);
  await page.shows('the text', (r) => r.text === 'a cat sat' && r.settled);
});
await check('a link opens its document', async () => {
  const { stdout } = spawnSync('node', ['/web/page/attenscope.js', 'link', '-'], { input: '{"text":"the dog ran"}', encoding: 'utf8' });
  const link = stdout.trim();
  expect(link.startsWith('attenscope:1:'), 'the command line writes no link: ' + stdout);
  await page.ask(`location.hash = ${JSON.stringify('#' + link)}`);
  await page.shows('the document', (r) => r.text === 'the dog ran');
});
await check('the walk is played, and frames are counted', async () => {
  await page.click('stage', 0.02, 0.98);
  const before = (await page.report()).time;
  await page.key(' ', 'Space', 32, 0, ' ');
  await page.shows('that it moves', (r) => r.playing && r.time > before);
  const from = (await page.report()).frame, begin = Date.now();
  await sleep(3000);
  figures.frames_a_second = Math.round((((await page.report()).frame - from) * 10000) / (Date.now() - begin)) / 10;
  await page.picture('walk');
  await page.key(' ', 'Space', 32, 0, ' ');
  await page.shows('that it rests', (r) => !r.playing);
});
await check('a file is opened', async () => {
  await page.ask(`(() => { const data = new DataTransfer(); data.items.add(new File(['{"text":"a file came"}'], 'came.json')); document.dispatchEvent(new DragEvent('drop', { dataTransfer: data })); })()`);
  await page.shows('the document', (r) => r.text === 'a file came');
});
await check('what was made comes back', async () => {
  await sleep(3000);
  await page.close();
  page = await Page.open(chromium, file + '?report&language=en');
  await page.shows('the document', (r) => r.text === 'a file came');
  await page.close();
});
await check('opens from a server, in Chinese, at 1024 × 768', async () => {
  page = await Page.open(chromium, served + '?report&language=zh', { width: 1024, height: 768 });
  figures.first_picture_server_ms = Math.round(page.shown);
  await page.shows('a frame', (r) => r.settled && r.language === 'zh');
  await page.picture('zh-opening-1024x768');
  figures.memory_mb = Math.round((await page.ask('HEAP8.length')) / 1e6);
  await page.close();
});
console.log(JSON.stringify(figures));
console.log(`${passed} passed, ${failed} failed`);
chromium.process.kill();
server.close();
process.exit(failed ? 1 : 0);
