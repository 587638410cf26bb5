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
  const link = () => decodeURIComponent(location.hash.slice(1));
  if (link().startsWith('attenscope:')) Module.arguments.push('--', link());

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
    let apart = 0; // of two fingers
    const distance = () => {
      const [a, b] = [...fingers.values()];
      return Math.hypot(a.x - b.x, a.y - b.y);
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
      at(event);
      if (event.pointerType === 'touch') {
        fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (fingers.size === 2) { button(0, false); apart = distance(); return; }
        if (fingers.size > 2) return;
      } else {
        field.focus({ preventScroll: true });
      }
      button(event.button, true);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (fingers.has(event.pointerId)) fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size === 2) {
        const now = distance();
        if (Math.abs(now - apart) > 12) { call('wheel', ['number', 'number'], [0, now > apart ? 1 : -1]); apart = now; }
        return;
      }
      at(event);
    });
    const lift = (event) => {
      const several = fingers.size > 1;
      fingers.delete(event.pointerId);
      if (several) return;
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

    const bring = async (files) => {
      for (const file of files) {
        const path = '/opened/' + file.name.replaceAll('/', '_');
        FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
        call('open', ['string'], [path]);
      }
    };
    document.getElementById('chosen').addEventListener('change', (event) => {
      bring([...event.target.files]);
      event.target.value = '';
    });
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      bring([...event.dataTransfer.files]);
    });
    window.addEventListener('hashchange', () => {
      if (link().startsWith('attenscope:')) call('link', ['string'], [link()]);
    });
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
}
