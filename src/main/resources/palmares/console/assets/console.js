// Shows times in the viewer's zone, counts down, sends a form once, and retries what is down.
(() => {
  "use strict";
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
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

  function distance(millis) {
    let s = Math.round(Math.abs(millis) / 1000);
    if (s < 60) return s + " s";
    if (s < 3600) return Math.floor(s / 60) + " min " + (s % 60) + " s";
    if (s < 48 * 3600) return Math.floor(s / 3600) + " h " + Math.floor((s % 3600) / 60) + " min";
    return Math.floor(s / 86400) + " d " + Math.floor((s % 86400) / 3600) + " h";
  }

  function show(root) {
    for (const time of root.querySelectorAll("time[data-local]")) {
      if (!time.title) time.title = time.textContent.trim();
      time.textContent = local(time.dateTime, true);
      time.title = time.title + " · " + zone;
      delete time.dataset.local;
    }
  }

  function count() {
    for (const time of document.querySelectorAll("time[data-until]")) {
      const text = distance(Date.parse(time.dateTime) - now());
      if (time.textContent !== text) time.textContent = text;
    }
  }

  // Signing in in another tab has replaced the token of this page.
  function refreshToken(form) {
    const token = document.cookie.match(/(?:^|; )XSRF-TOKEN=([^;]*)/);
    if (token) form.elements._csrf.value = token[1];
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
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

  document.addEventListener("htmx:afterSwap", (event) => show(event.target.parentNode || document));

  for (const button of document.querySelectorAll("[data-print]")) {
    button.addEventListener("click", () => window.print());
  }

  const retry = document.querySelector("[data-retry]");
  if (retry) setTimeout(() => location.reload(), 1000 * Number(retry.dataset.retry));

  for (const box of document.querySelectorAll("[data-stream]")) {
    const source = new EventSource(box.dataset.stream);
    source.addEventListener("top", (event) => {
      const list = box.querySelector("tbody");
      const rows = JSON.parse(event.data).lines.map((line) => {
        const row = document.createElement("tr");
        for (const [value, kind] of [[line.rank, "number"], [line.nickname || line.member, ""], [line.points, "number"]]) {
          const cell = document.createElement("td");
          cell.className = kind;
          cell.textContent = typeof value === "number" ? value.toLocaleString(document.documentElement.lang) : value;
          row.append(cell);
        }
        return row;
      });
      list.replaceChildren(...rows);
    });
  }

  for (const present of document.querySelectorAll("nav [aria-current]")) {
    present.parentNode.scrollLeft = present.offsetLeft - present.parentNode.offsetLeft - 40;
  }

  show(document);
  count();
  setInterval(count, 1000);
})();
