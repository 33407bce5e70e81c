"use strict";
// The page works without this script. With it, the page is replaced in place: what has the focus, what
// is typed and what is unfolded stays.
const pages = ["/", "/sandbox/page"];
const byId = id => document.getElementById(id);
document.documentElement.classList.add("js");

let silence;
function say(text) {
  byId("said").textContent = "";
  clearTimeout(silence);
  setTimeout(() => { byId("said").textContent = text; }, 50);
  silence = setTimeout(() => { byId("said").textContent = ""; }, 6000);
}

function takeAttributes(old, next) {
  for (const {name} of [...old.attributes]) {
    if (name !== "open" && !next.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const {name, value} of next.attributes) {
    if (name !== "open" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

function isLike(old, next) {
  return old.nodeName === next.nodeName && (old.id || "") === (next.id || "");
}

// Changes a node into another one; elements with ids are recognised by them.
function become(old, next) {
  if (old.isEqualNode(next)) return;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.nodeValue = next.nodeValue;
    return;
  }
  if (old.id !== "said") takeAttributes(old, next);
  const ids = new Set([...next.children].map(child => child.id).filter(id => id));
  for (const child of [...old.children]) if (child.id && !ids.has(child.id)) child.remove();
  const known = new Map([...old.children].filter(child => child.id).map(c => [c.id, c]));
  let place = old.firstChild;
  for (const child of [...next.childNodes]) {
    let match = child.id ? known.get(child.id) : null;
    if (!match && !child.id && place && isLike(place, child)) match = place;
    if (!match) {
      old.insertBefore(child, place);
    } else {
      if (match === place) place = place.nextSibling; else old.insertBefore(match, place);
      become(match, child);
    }
  }
  while (place) {
    const rest = place;
    place = place.nextSibling;
    rest.remove();
  }
}

function show(text) {
  const next = new DOMParser().parseFromString(text, "text/html");
  const section = document.activeElement && document.activeElement.closest("section");
  next.body.querySelector("script").remove();
  next.body.querySelector("#said").textContent = byId("said").textContent;
  next.body.querySelector("#live").replaceWith(byId("live").cloneNode(true));
  const script = document.body.querySelector("script");
  if (script) script.remove();
  become(document.body, next.body);
  document.title = next.title;
  // A button that is gone leaves the focus at its section.
  if (section && document.activeElement === document.body) {
    const heading = byId(`${section.id}-title`) || byId("calls-title");
    if (heading) heading.focus({preventScroll: true});
  }
}

let asked = 0, busy = 0, cost = 0, shown = 0;

// Loads a page and shows it in place; what is no page is left to the browser.
async function go(url, request, isNew = true) {
  const turn = asked += 1;
  busy += 1;
  try {
    const answer = await fetch(url, {headers: {Accept: "text/html"}, ...request});
    const text = await answer.text();
    if (turn !== asked) return false;
    if (!(answer.headers.get("Content-Type") || "").startsWith("text/html")) {
      say(text);
      return false;
    }
    if (isNew && answer.url !== location.href) {
      history.pushState(null, "", answer.url);
    }
    show(text);
    shown = performance.now();
    return answer.ok;
  } catch {
    say("The sandbox does not answer.");
    return false;
  } finally {
    busy -= 1;
  }
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(await text);
    say(`${what}: copied`);
  } catch {
    say(`${what}: the browser does not allow it`);
  }
}

document.addEventListener("click", event => {
  const button = event.target.closest("button");
  if (button && button.dataset.copy) copy(byId(button.dataset.copy).textContent, "Text");
  if (button && button.id === "live") {
    const isOn = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", isOn);
  }
  const link = event.target.closest("a[href]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.origin !== location.origin || !pages.includes(link.pathname)) return;
  event.preventDefault();
  go(link.href);
});

document.addEventListener("submit", event => {
  const {target: form, submitter} = event;
  if (submitter && submitter.hasAttribute("data-plain")) return;
  event.preventDefault();
  const data = new URLSearchParams(new FormData(form, submitter));
  if (submitter && submitter.hasAttribute("data-copied")) {
    const text = fetch(form.action, {method: "POST", body: data}).then(answer => answer.text());
    copy(text, submitter.getAttribute("aria-label"));
  } else if (form.method === "get") {
    go(`${form.action}?${data}`);
  } else {
    const what = submitter ? submitter.getAttribute("aria-label") || submitter.textContent : "";
    go(form.action, {method: "POST", body: data}).then(isDone => {
      if (isDone) say(`${what}: done`);
      if (!form.isConnected) return;
      for (const field of form.querySelectorAll("input[required]")) {
        if (isDone && field.id !== "address") field.value = "";
      }
    });
  }
});

let typing;
document.addEventListener("input", event => {
  if (event.target.id !== "search") return;
  clearTimeout(typing);
  typing = setTimeout(() => event.target.form.requestSubmit(), 250);
});

addEventListener("popstate", () => go(location.href, {}, false));

// Asks twice a second whether anything has changed; less often if the page takes long.
async function poll() {
  const isOn = byId("live").getAttribute("aria-pressed") === "true";
  if (isOn && !document.hidden && !busy) {
    const start = performance.now();
    try {
      const {revision, time} = await (await fetch("/sandbox/page/state")).json();
      const clock = byId("now");
      if (clock && clock.textContent !== time) clock.textContent = time;
      // What the clock alone changes is shown later.
      const isOld = revision !== document.body.dataset.revision || start - shown > 10000;
      if (!busy && isOld) await go(location.href, {}, false);
    } catch {
      if (cost < 5000) say("The sandbox does not answer.");
      cost = 5000;
    }
    cost = Math.min(5000, performance.now() - start);
  }
  setTimeout(poll, 400 + 4 * cost);
}
poll();
