// Shows times in the viewer's zone, counts down, follows a board, sends a form once, and retries.
(() => {
  "use strict";
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const LONGEST_TIMER = 2 ** 31 - 1; // A longer one fires at once.
  const pad = (n) => String(n).padStart(2, "0");
  // The server's clock, which a demo or a wrong clock of this computer may differ from.
  const meta = document.querySelector('meta[name="now"]');
  const offset = meta ? Date.parse(meta.content) - Date.now() : 0;
  const now = () => Date.now() + offset;

  function local(iso, seconds) {
    const t = new Date(iso);
    return t.getFullYear() + "-" + pad(t.getMonth() + 1) + "-" + pad(t.getDate()) + " " +
      pad(t.getHours()) + ":" + pad(t.getMinutes()) + (seconds ? ":" + pad(t.getSeconds()) : "");
  }

  const language = document.documentElement.lang;
  const units = language === "zh"
    ? { s: "秒", min: "分", h: "小时", d: "天" }
    : { s: "s", min: "min", h: "h", d: "d" };
  const pair = (large, unit, small, rest) =>
    Math.floor(large) + " " + units[unit] + " " + Math.floor(small) + " " + units[rest];

  function distance(millis) {
    const s = Math.round(Math.abs(millis) / 1000);
    if (s < 60) return s + " " + units.s;
    if (s < 3600) return pair(s / 60, "min", s % 60, "s");
    if (s < 48 * 3600) return pair(s / 3600, "h", (s % 3600) / 60, "min");
    return pair(s / 86400, "d", (s % 86400) / 3600, "h");
  }

  function show(root) {
    for (const time of root.querySelectorAll("time[data-local]")) {
      if (!time.title) time.title = time.textContent.trim();
      time.textContent = local(time.dateTime, time.dataset.local !== "minute");
      delete time.dataset.local;
    }
    for (const other of root.querySelectorAll("[data-elsewhere]")) {
      other.hidden = other.dataset.elsewhere === zone;
    }
    for (const text of root.querySelectorAll("[data-zone]")) {
      text.textContent = text.dataset.text.replace("{0}", zone);
    }
  }

  function count() {
    for (const time of document.querySelectorAll("time[data-until], time[data-since]")) {
      const left = Date.parse(time.dateTime) - now();
      const text = "since" in time.dataset ? distance(left)
        : left <= 0 ? time.dataset.past
        : time.dataset.text.replace("{0}", distance(left));
      if (time.textContent !== text) time.textContent = text;
    }
  }

  // Signing in in another tab has replaced the token of this page.
  function refreshToken(form) {
    const token = document.cookie.match(/(?:^|; )XSRF-TOKEN=([^;]*)/);
    if (token) form.elements._csrf.value = token[1];
  }

  // The server takes a form of at most 1 MB, in which other characters than Latin letters take nine
  // bytes each. A browser may lose the answer to a larger one, so it is not sent.
  const MAX_ENCODED = 1_000_000;
  const advice = (form) => form.dataset.large || document.body.dataset.large;
  const encodedSize = (text) => text.length > MAX_ENCODED ? text.length
    : new URLSearchParams([["", text.replaceAll("\n", "\r\n")]]).toString().length;

  function refuseTooLarge(form) {
    const sizes = [...form.elements].filter((field) => field.name && field.value)
      .map((field) => ({ field, size: encodedSize(field.value) }));
    if (sizes.reduce((sum, each) => sum + each.size, 0) <= MAX_ENCODED) return false;
    const { field } = sizes.reduce((one, other) => other.size > one.size ? other : one);
    field.setCustomValidity(advice(form));
    field.addEventListener("input", () => field.setCustomValidity(""), { once: true });
    field.reportValidity();
    return true;
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method === "post" && refuseTooLarge(form)) { event.preventDefault(); return; }
    if ("freshToken" in form.dataset) refreshToken(form);
    if (form.dataset.sent) { event.preventDefault(); return; }
    if (form.method !== "post") return;
    form.dataset.sent = "yes";
    // After the browser has read which button was pressed.
    setTimeout(() => form.querySelectorAll("button").forEach((b) => { b.disabled = true; }), 0);
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) {
      document.querySelectorAll("form[data-sent]").forEach((form) => {
        delete form.dataset.sent;
        form.querySelectorAll("button").forEach((b) => { b.disabled = false; });
      });
    }
  });
  // A person who goes back to a form finds it with the same key: sent again, it has no second effect.
  const keeper = document.querySelector("[data-keeps-key]");
  if (keeper) {
    const address = new URL(location.href);
    address.searchParams.set("key", keeper.dataset.keepsKey);
    history.replaceState(null, "", address);
  }

  // A part of a page that could not be read says so instead of seeming to be on its way.
  function failed(event) {
    const part = event.target.closest("[data-failed]");
    const status = part && part.querySelector("[role=status]");
    if (status) status.firstChild.textContent = part.dataset.failed + " ";
  }
  document.addEventListener("htmx:responseError", failed);
  document.addEventListener("htmx:sendError", failed);

  document.addEventListener("htmx:afterSwap", (event) => show(event.target.parentNode || document));

  // The part that a link has replaced, and the link with it, gets the link's focus.
  let replaced = null;
  document.addEventListener("htmx:beforeSwap", (event) => {
    replaced = event.detail.requestConfig.elt.matches("a") ? event.detail.target.id : null;
  });
  document.addEventListener("htmx:afterSettle", () => {
    const part = replaced && document.getElementById(replaced);
    if (part && document.activeElement === document.body) part.focus();
    replaced = null;
  });

  // What was refused is read out and seen first.
  const alert = document.querySelector("main [role=alert][tabindex]");
  if (alert) alert.focus();

  for (const button of document.querySelectorAll("[data-print]")) {
    button.addEventListener("click", () => window.print());
  }

  // A file is read into its field, where it can be seen and changed; the server gets the field.
  for (const chosen of document.querySelectorAll("[data-into]")) {
    const field = document.getElementById(chosen.dataset.into);
    chosen.parentNode.hidden = false;
    chosen.addEventListener("change", async () => {
      const file = chosen.files[0];
      if (!file) return;
      field.value = "";
      field.setCustomValidity("");
      let refusal = "";
      try {
        if (file.size > MAX_ENCODED) refusal = advice(field.form);
        else field.value = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      } catch {
        refusal = chosen.dataset.encoding;
      }
      if (encodedSize(field.value) > MAX_ENCODED) refusal = advice(field.form);
      if (refusal) {
        field.value = "";
        chosen.value = ""; // so that the same file can be chosen again
      }
      chosen.parentNode.querySelector("[role=status]").textContent = refusal || file.name;
    });
  }

  const retry = document.querySelector("[data-retry]");
  if (retry) setTimeout(() => location.reload(), 1000 * Number(retry.dataset.retry));

  function showTop(box, top) {
    const rows = top.lines.map((line) => {
      const row = document.createElement("tr");
      for (const [value, kind] of [[line.rank, "number"], [line.nickname || line.member, ""], [line.points, "number"]]) {
        const cell = document.createElement("td");
        cell.className = kind;
        cell.textContent = typeof value === "number" ? value.toLocaleString(language) : value;
        row.append(cell);
      }
      return row;
    });
    box.querySelector("tbody").replaceChildren(...rows);
    box.querySelector("[data-empty]").hidden = rows.length > 0;
    const members = box.querySelector("[data-members]");
    members.textContent = top.members === 1 ? members.dataset.one
      : members.dataset.many.replace("{0}", top.members.toLocaleString(language));
  }

  // Reloads the page once the server answers; not for all viewers in the same second.
  function reloadLater(wait) {
    setTimeout(async () => {
      const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
      if (answer && answer.status < 500 && answer.status !== 429) location.reload();
      else reloadLater(Math.min(2 * wait, 60000));
    }, wait * (1 + Math.random()));
  }

  for (const box of document.querySelectorAll("[data-stream]")) {
    const source = new EventSource(box.dataset.stream);
    const lost = box.querySelector("[data-lost]");
    let isOver = false;
    const showLoss = () => { lost.hidden = isOver || source.readyState === EventSource.OPEN; };
    source.addEventListener("open", showLoss);
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) {
        setTimeout(showLoss, 10000); // The browser connects again.
      } else { // It does not after an answer other than 200, as while a server restarts.
        showLoss();
        reloadLater(15000);
      }
    });
    source.addEventListener("top", (event) => showTop(box, JSON.parse(event.data)));
    source.addEventListener("sealed", (event) => {
      const top = JSON.parse(event.data);
      isOver = true;
      source.close();
      showLoss();
      showTop(box, top);
      box.querySelector("[data-state]").textContent = box.querySelector("[data-final]").textContent;
      // The next period is shown once it has started; not by all viewers in the same second.
      const wait = Math.max(0, Date.parse(top.nextStartsAt) - now()) + 10000 + 10000 * Math.random();
      if (box.dataset.follows && wait < LONGEST_TIMER) setTimeout(() => location.reload(), wait);
    });
  }

  // The head of a table that fits stays in sight; one that scrolls sideways cannot have both.
  function fit() {
    for (const box of document.querySelectorAll(".wide")) {
      box.classList.remove("fits");
      box.classList.toggle("fits", box.scrollWidth <= box.clientWidth);
    }
  }

  for (const box of document.querySelectorAll("[data-end]")) box.scrollLeft = box.scrollWidth;
  for (const present of document.querySelectorAll("nav [aria-current]")) {
    present.parentNode.scrollLeft = present.offsetLeft - present.parentNode.offsetLeft - 40;
  }

  show(document);
  count();
  fit();
  window.addEventListener("resize", fit);
  document.addEventListener("htmx:afterSwap", fit);
  setInterval(count, 1000);
})();
