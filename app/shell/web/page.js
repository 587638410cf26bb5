// The page's side of app/shell/web/page.cpp: passes the browser's events to the program and carries out the program's
// requests. Emscripten puts this before its own code; outside a browser (the command line, in node) it does nothing.

if (typeof document !== 'undefined') {
  const canvas = document.getElementById('canvas');
  const field = document.getElementById('field'); // where the browser, its input methods and keyboards on glass write
  const home = '/home/web_user';
  const call = (name, kinds, values) => Module.ccall('page_' + name, null, kinds, values);
  const ask = (name, kinds, values) => Module.ccall('page_' + name, 'number', kinds, values);
  let running = false;
  let scale = 1;

  Module.canvas = canvas;
  Module.print = (text) => console.log(text);
  Module.printErr = (text) => console.error(text);
  const query = new URLSearchParams(location.search);
  Module.arguments = [];
  for (const name of ['language', 'theme', 'scale', 'report'])
    if (query.has(name)) Module.arguments.push('--' + name, query.get(name) || 'yes');
  if (query.has('no-restore')) Module.arguments.push('--no-restore');
  const link = () => {
    try { return decodeURIComponent(location.hash.slice(1)); } catch (broken) { return location.hash.slice(1); }
  };
  const chapter = 'chapter='; // #chapter=ID or #chapter=ID/PAGE
  if (link().startsWith('attenscope:')) Module.arguments.push('--', link());

  // ---- the program, compiled once for the page and its worker ----

  let program = null;
  Module.mainScriptUrlOrBlob = new Blob([Module.glue], { type: 'text/javascript' });
  Module.instantiateWasm = (imports, done) => {
    WebAssembly.instantiate(Module.bytes, imports).then(({ module, instance }) => {
      program = module;
      Module.bytes = null;
      done(instance, module);
    }).catch((problem) => Module.over('This browser cannot start Attenscope (' + problem + ').'));
    return {};
  };

  // ---- training without threads: in a worker, which is this program once more ----

  let trainer = null;
  const pass = (name, bytes) => {
    const at = Module._malloc(bytes.length);
    HEAPU8.set(bytes, at);
    Module['_' + name](at, bytes.length);
    Module._free(at);
  };
  const no_trainer = () => { // the page trains by itself
    Module.train = null;
    trainer?.terminate();
    call('training_failed', [], []);
  };
  if (!Module.threads) Module.train = (order) => {
    try {
      if (!trainer) {
        trainer = new Worker(URL.createObjectURL(Module.mainScriptUrlOrBlob), { name: 'attenscope-trainer' });
        trainer.onmessage = ({ data }) => data ? pass('page_trained', data) : call('training_refused', [], []);
        trainer.onerror = no_trainer;
        trainer.postMessage(program);
      }
      trainer.postMessage(order);
    } catch (refused) {
      no_trainer();
    }
  };

  // ---- pictures as files: drawn by a worker, which is this program once more, as its command line ----

  let child = null;
  Module.endChild = () => {
    child?.terminate();
    child = null;
  };
  const files_of = (folder, out) => {
    for (const name of FS.readdir(folder)) {
      if (name === '.' || name === '..') continue;
      const path = folder + '/' + name;
      if (FS.isDir(FS.stat(path).mode)) files_of(path, out);
      else out.push([path, FS.readFile(path)]);
    }
    return out;
  };
  Module.runChild = (order) => {
    const words = [];
    let from = 0;
    for (let end = order.indexOf(0); end >= 0; end = order.indexOf(0, from)) {
      words.push(new TextDecoder().decode(order.subarray(from, end)));
      from = end + 1;
    }
    const input = order.slice(from), made = words[words.indexOf('-o') + 1];
    const fail = (problem) => {
      pass('page_child_failed', new TextEncoder().encode('this browser cannot draw it: ' + problem + '\n'));
      call('child_ended', ['number'], [1]);
    };
    // A document that names a checkpoint needs its files.
    const files = files_of('/fonts', []);
    if (new TextDecoder().decode(input).includes('/opened/')) files_of('/opened', files);
    try {
      child = new Worker(URL.createObjectURL(Module.mainScriptUrlOrBlob), { name: 'attenscope-child' });
    } catch (refused) {
      setTimeout(fail, 0, refused.message); // not before the program knows its child
      return;
    }
    child.onerror = ({ message }) => fail(message);
    child.onmessage = ({ data }) => {
      if (data.said) return pass('page_child_said', data.said);
      if (data.problem) return pass('page_child_failed', data.problem);
      if (data.file) FS.writeFile(made, data.file);
      Module.endChild();
      call('child_ended', ['number'], [data.status]);
    };
    child.postMessage({ program, words, input, made, files }, [input.buffer, ...files.map(([, bytes]) => bytes.buffer)]);
  };

  // ---- what is kept: the home folder, in the browser's storage ----

  Module.preRun = [() => {
    ENV.HOME = home;
    ENV.LANG = (navigator.language || 'en').toLowerCase().startsWith('zh') ? 'zh_CN.UTF-8' : 'C.UTF-8';
    FS.mkdirTree('/fonts');
    for (const [name, bytes] of Object.entries(Module.fonts)) FS.writeFile('/fonts/' + name, bytes, { canOwn: true });
    Module.fonts = null;
    FS.mkdirTree('/opened');
    try {
      FS.mount(IDBFS, {}, home);
    } catch (refused) {
      return;
    }
    addRunDependency('home');
    FS.syncfs(true, (problem) => {
      if (problem) console.error('what was kept cannot be read: ' + problem);
      removeRunDependency('home');
    });
  }];
  let putting = false, again = false;
  Module.putBy = () => {
    if (putting) { again = true; return; }
    putting = true;
    FS.syncfs(false, (problem) => {
      putting = false;
      if (problem) console.error('nothing can be kept: ' + problem);
      if (again) { again = false; Module.putBy(); }
    });
  };
  Module.download = (path) => {
    const to = document.createElement('a');
    to.href = URL.createObjectURL(new Blob([FS.readFile(path)]));
    to.download = path.slice(path.lastIndexOf('/') + 1);
    to.click();
    setTimeout(() => URL.revokeObjectURL(to.href), 60000);
    FS.unlink(path); // the reader has it; the next one may be called the same
  };
  Module.over = (message) => {
    const failure = document.getElementById('failure');
    failure.textContent = message;
    failure.hidden = !message;
    if (!message) window.close();
  };
  Module.showCursor = (name) => { canvas.style.cursor = name; };
  Module.fillScreen = (on) => {
    if (on) document.documentElement.requestFullscreen?.().catch(() => call('full_screen', ['number'], [0]));
    else if (document.fullscreenElement) document.exitFullscreen();
  };

  // ---- typefaces with more characters: a script, because a page from a disk may load nothing else ----

  Module.wantTypefaces = () => {
    const script = document.createElement('script');
    script.src = 'attenscope-typefaces.js'; // calls Module.typefaces
    document.body.append(script);
  };
  Module.typefaces = async (parts) => {
    for (const [name, packed] of Object.entries(parts))
      FS.writeFile('/fonts/' + name, await Module.inflate(Uint8Array.from(atob(packed), (c) => c.charCodeAt(0))));
    call('typefaces', [], []);
  };

  // ---- the words of the picture, for screen readers ----

  const paragraphs = (texts, tag) => texts.map((text) => {
    const one = document.createElement(tag);
    one.textContent = text;
    return one;
  });
  Module.write = (words, description, language) => {
    document.documentElement.lang = language;
    const lines = (text) => text.split('\n').filter(Boolean);
    document.getElementById('words').replaceChildren(...paragraphs(lines(description), 'p'), ...paragraphs(lines(words), 'div'));
  };
  Module.say = (words) => { document.getElementById('said').textContent = words; };

  // ---- size ----

  Module.measure = () => {
    scale = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(window.innerWidth * scale)), height = Math.max(1, Math.round(window.innerHeight * scale));
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    call('resize', ['number', 'number', 'number'], [width, height, scale]);
  };

  // ---- clipboard: written at once where the browser allows it, else with the copy that follows ----

  let copied = null;
  Module.copy = (text) => {
    copied = text;
    navigator.clipboard?.writeText(text).catch(() => {});
  };

  const press = (code, key, shift, down) =>
    ask('key', ['string', 'string', 'number', 'number'], [code, key, shift ? 1 : 0, down ? 1 : 0]) === 1;

  Module.begin = () => {
    running = true;
    document.getElementById('wait').remove();
    Module.shownAt = performance.now();
    window.addEventListener('resize', Module.measure);
    field.focus({ preventScroll: true });

    // ---- pointer, wheel, fingers ----

    const at = (event) => call('pointer', ['number', 'number'], [event.clientX * scale, event.clientY * scale]);
    const pressed = new Set();
    const button = (which, down) => {
      if (pressed.has(which) === down) return; // a second finger had taken it up already
      if (down) pressed.add(which);
      else pressed.delete(which);
      call('button', ['number', 'number'], [which === 2 ? 1 : which === 1 ? 2 : 0, down ? 1 : 0]);
    };
    const fingers = new Map();
    const slack = 12; // CSS pixels until two fingers are a gesture
    const patience = 400; // milliseconds in which a second finger may follow the first, which then has pressed nothing
    let waiting = null; // a finger that has not pressed yet: its timer and where it is
    const press_finger = () => {
      if (!waiting) return;
      clearTimeout(waiting.timer);
      waiting = null;
      button(0, true);
    };
    let gesture = null; // of two fingers: where they began, and whether they pinch or move together
    const two = () => {
      const [a, b] = [...fingers.values()];
      return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
    };
    const turn = (across, up) => call('wheel', ['number', 'number'], [across, up]);
    const point = (x, y) => call('pointer', ['number', 'number'], [x * scale, y * scale]);
    const follow_two = () => {
      const now = two();
      if (!gesture.kind) {
        const apart = Math.abs(now.apart - gesture.apart), along = Math.hypot(now.x - gesture.x, now.y - gesture.y);
        if (Math.max(apart, along) < slack) return;
        gesture = { ...gesture, kind: apart > along ? 'pinch' : 'scroll' };
      }
      // A notch of the wheel is a quarter of size, or three lines of text.
      if (gesture.kind === 'pinch') turn(0, Math.log(now.apart / gesture.apart) / Math.log(1.25));
      else turn((now.x - gesture.x) / 48, (now.y - gesture.y) / 48);
      gesture = { ...now, kind: gesture.kind };
    };
    // A keyboard on glass comes only from inside the event: what was touched is asked at once.
    const follow = () => {
      for (let i = 0; i < 3; ++i) call('frame', [], []);
      if (ask('typing', [], [])) field.focus({ preventScroll: true });
      else field.blur();
    };
    canvas.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      canvas.setPointerCapture(event.pointerId);
      if (fingers.size === 0) at(event);
      if (event.pointerType === 'touch') {
        fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (fingers.size === 2) {
          point(-1, -1); // the first finger's press is no click
          if (waiting) clearTimeout(waiting.timer);
          waiting = null;
          button(0, false);
          gesture = two();
          point(gesture.x, gesture.y); // what is between the fingers is enlarged
        }
        if (fingers.size === 1) waiting = { timer: setTimeout(press_finger, patience), x: event.clientX, y: event.clientY };
        return;
      } else {
        field.focus({ preventScroll: true });
      }
      button(event.button, true);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (fingers.has(event.pointerId)) fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size === 2 && gesture) follow_two();
      if (fingers.size > 1 || (event.pointerType === 'touch' && gesture)) return;
      if (waiting) {
        if (Math.hypot(event.clientX - waiting.x, event.clientY - waiting.y) < slack) return;
        press_finger();
      }
      at(event);
    });
    const lift = (event) => {
      fingers.delete(event.pointerId);
      if (gesture) { // until the last finger is lifted
        if (fingers.size === 0) { gesture = null; point(-1, -1); }
        return;
      }
      press_finger();
      at(event);
      button(event.pointerType === 'touch' ? 0 : event.button, false);
      if (event.pointerType === 'touch') follow();
    };
    canvas.addEventListener('pointerup', lift);
    canvas.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse') call('pointer', ['number', 'number'], [-1, -1]); });
    canvas.addEventListener('pointercancel', lift);
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      const line = event.deltaMode === 0 ? 100 : event.deltaMode === 1 ? 3 : 1;
      call('wheel', ['number', 'number'], [-event.deltaX / line, -event.deltaY / line]);
    }, { passive: false });

    // ---- keys, and what they write ----

    const held = new Map();
    const browsers = (event) => (event.ctrlKey || event.metaKey) && ['KeyR', 'KeyT', 'KeyW', 'KeyN', 'KeyL'].includes(event.code);
    window.addEventListener('keydown', (event) => {
      if (event.isComposing || event.key === 'Process' || browsers(event)) return;
      const command = event.ctrlKey || event.metaKey;
      if (command && event.code === 'KeyV') return; // comes as a paste
      if (command && event.code === 'KeyO') {
        event.preventDefault();
        document.getElementById('chosen').click();
        return;
      }
      const writes = event.key.length === 1 && !command;
      if (!event.repeat && press(event.code, event.key, event.shiftKey, true)) held.set(event.code, event.key);
      // What writes must reach the field, and what copies or cuts must become an event.
      if (!writes && !(command && ['KeyC', 'KeyX'].includes(event.code)) && held.has(event.code)) event.preventDefault();
    });
    window.addEventListener('keyup', (event) => {
      if (held.delete(event.code)) press(event.code, event.key, event.shiftKey, false);
    });
    window.addEventListener('blur', () => {
      for (const [code, key] of held) press(code, key, false, false);
      held.clear();
    });
    const take = () => {
      const text = field.value;
      field.value = '';
      if (text) call('text', ['string'], [text]);
    };
    field.addEventListener('input', (event) => { if (!event.isComposing) take(); });
    field.addEventListener('compositionend', () => setTimeout(take));

    document.addEventListener('paste', (event) => {
      event.preventDefault();
      const files = [...event.clipboardData.files];
      if (files.length) return void bring(files);
      call('clipboard', ['string'], [event.clipboardData.getData('text/plain')]);
      const control = held.has('ControlLeft') || held.has('ControlRight') || held.has('MetaLeft');
      if (!control) press('ControlLeft', 'Control', false, true);
      press('KeyV', 'v', false, true);
      press('KeyV', 'v', false, false);
      if (!control) press('ControlLeft', 'Control', false, false);
    });
    for (const what of ['copy', 'cut'])
      document.addEventListener(what, (event) => {
        copied = null;
        for (let i = 0; i < 3; ++i) call('frame', [], []); // the program copies when it sees the key
        if (copied === null) return;
        event.clipboardData.setData('text/plain', copied);
        event.preventDefault();
      });

    // ---- files and links ----

    // A file of that size and a copy of it fit into the memory of a page.
    const most = 700e6;
    const bring = async (files) => {
      // All files of a model's folder together are the model.
      if (files.some((file) => file.name === 'config.json')) return bring_model('model', files);
      for (const file of files) {
        const path = '/opened/' + file.name.replaceAll('/', '_');
        if (await put(file, path)) call('open', ['string'], [path]);
      }
    };
    const bring_model = async (name, files) => {
      const path = '/opened/' + name;
      FS.mkdirTree(path);
      for (const file of files) if (!await put(file, path + '/' + file.name)) return;
      call('open', ['string'], [path]);
    };
    const put = async (file, path) => {
      if (file.size > most) {
        call('refuse', ['string'], [`${file.name} has ${Math.round(file.size / 1e6)} MB; a page opens files of at most ${most / 1e6} MB, the program on a desktop larger ones`]);
        return false;
      }
      try {
        FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
        return true;
      } catch (problem) {
        call('refuse', ['string'], [`${file.name} cannot be read: ${problem.message ?? problem}`]);
        return false;
      }
    };
    const bring_folder = async (folder) => {
      const reader = folder.createReader(), files = [];
      const more = () => new Promise((done, fail) => reader.readEntries(done, fail));
      try {
        for (let entries = await more(); entries.length; entries = await more())
          for (const entry of entries) if (entry.isFile) files.push(await new Promise((done, fail) => entry.file(done, fail)));
      } catch (problem) { // browsers let a page read folders only if it comes from a server
        call('refuse', ['string'], [`the folder ${folder.name} cannot be read by a page that was opened from a disk: drop all of its files at once`]);
        return;
      }
      bring_model(folder.name, files);
    };
    document.getElementById('chosen').addEventListener('change', (event) => {
      bring([...event.target.files]);
      event.target.value = '';
    });
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      const folders = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry?.isDirectory);
      if (folders.length) bring_folder(folders[0]);
      else bring([...event.dataTransfer.files]);
    });
    const follow_address = () => {
      if (link().startsWith(chapter)) call('chapter', ['string'], [link().slice(chapter.length)]);
    };
    window.addEventListener('hashchange', () => {
      if (link().startsWith('attenscope:')) call('link', ['string'], [link()]);
      follow_address();
    });
    follow_address();
    document.addEventListener('visibilitychange', () => { if (document.hidden) call('leave', [], []); });
    window.addEventListener('pagehide', () => call('leave', [], []));
    document.addEventListener('fullscreenchange', () => {
      call('full_screen', ['number'], [document.fullscreenElement ? 1 : 0]);
      Module.measure();
    });
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      call('leave', [], []);
      location.reload(); // everything that was in the context has gone; the document has been kept
    });
  };
} else if (typeof WorkerGlobalScope !== 'undefined' && self.name === 'attenscope-trainer') {
  // In the page's worker, which trains: the first message is the compiled program, all others are orders.
  const orders = [];
  let turning = false;
  const turn = () => {
    turning = Module._worker_turn() === 1;
    if (turning) setTimeout(turn);
  };
  const follow = (order) => {
    const at = Module._malloc(order.length);
    HEAPU8.set(order, at);
    Module._worker_order(at, order.length);
    Module._free(at);
    if (!turning) turn();
  };
  Module.noInitialRun = true;
  Module.instantiateWasm = (imports, done) => {
    self.onmessage = ({ data: program }) => {
      self.onmessage = ({ data }) => orders.push(data);
      WebAssembly.instantiate(program, imports).then((instance) => done(instance, program));
    };
    return {};
  };
  Module.onRuntimeInitialized = () => {
    self.onmessage = ({ data }) => follow(data);
    for (const order of orders) follow(order);
  };
  Module.tell = (message) => self.postMessage(message, message ? [message.buffer] : []);
} else if (typeof WorkerGlobalScope !== 'undefined' && self.name === 'attenscope-child') {
  // In the worker that is the page's child process: the message is the compiled program, its arguments, input and files.
  let order = null;
  const line = (text) => new TextEncoder().encode(text + '\n');
  Module.noInitialRun = true;
  Module.print = (text) => self.postMessage({ said: line(text) });
  Module.printErr = (text) => self.postMessage({ problem: line(text) });
  Module.instantiateWasm = (imports, done) => {
    self.onmessage = ({ data }) => {
      order = data;
      WebAssembly.instantiate(order.program, imports).then((instance) => done(instance, order.program));
    };
    return {};
  };
  Module.onRuntimeInitialized = () => {
    for (const [path, bytes] of order.files) {
      FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
      FS.writeFile(path, bytes, { canOwn: true });
    }
    FS.mkdirTree(order.made.slice(0, order.made.lastIndexOf('/')));
    FS.writeFile('/input', order.input);
    if (typeof OffscreenCanvas !== 'undefined') specialHTMLTargets['#canvas'] = new OffscreenCanvas(16, 16);
    const status = callMain(order.words.map((word) => (word === '-' ? '/input' : word)));
    const file = status === 0 ? FS.readFile(order.made) : null;
    self.postMessage({ status, file }, file ? [file.buffer] : []);
  };
}
