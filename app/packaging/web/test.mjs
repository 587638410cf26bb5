// Tests the page in Chromium: test.mjs FOLDER. FOLDER contains attenscope.html and receives pictures and measurements.
// (browser.mjs controls Chromium.)
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { Chromium, Page, sleep } from './browser.mjs';

const folder = process.argv[2];
const figures = {};

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

await check('opens from a file: at most 12 MB, and a picture in 3 s', async () => {
  expect(figures.bytes <= 12e6, `the file has ${figures.bytes} bytes`);
  page = await Page.open(chromium, file + '?report&language=en&no-restore', folder);
  figures.first_picture_file_ms = Math.round(page.shown);
  expect(page.shown < 3000, `the first picture came after ${figures.first_picture_file_ms} ms`);
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
  page = await Page.open(chromium, file + '?report&language=en', folder);
  await page.shows('the document', (r) => r.text === 'a file came');
  await page.close();
});
await check('opens from a server, in Chinese, at 1024 × 768', async () => {
  page = await Page.open(chromium, served + '?report&language=zh', folder, { width: 1024, height: 768 });
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
