import { html } from '@/server/kernel/html'

/** The page's whole look: system fonts, the house's own colours, no picture to load. Only logical sides, so that it mirrors. */
export const style = `
:root{color-scheme:light dark;--page:#eef1f2;--surface:#fff;--text:#131a1f;--soft:#3f4a52;--muted:#5b6770;--line:#e2e6e9;--edge:#87929a;--primary:#0b6b80;--on:#fff;--link:#0a5f72;--danger:#b0241c;--danger-soft:#fdebe9;--ok:#0f6b40;--ok-soft:#e3f4ea}
@media (prefers-color-scheme:dark){:root{--page:#0b0f11;--surface:#151b1f;--text:#e9eef0;--soft:#c0cacf;--muted:#93a0a7;--line:#2a343a;--edge:#7b8991;--primary:#5fbdd1;--on:#06222a;--link:#7fd0e0;--danger:#f58d85;--danger-soft:#3b1916;--ok:#5ccf93;--ok-soft:#10301f}}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%}
body{background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;min-block-size:100vh;display:flex;flex-direction:column}
main,header{inline-size:100%;max-inline-size:480px;margin-inline:auto}
header{background:#0a2c35;color:#7fd0e0;position:relative;overflow:hidden;min-block-size:168px;display:flex;align-items:flex-end;padding:20px 24px}
header svg{position:absolute;inset-block:0;inset-inline-end:0;block-size:100%;inline-size:auto}
[dir=rtl] header svg{transform:scaleX(-1)}
header p{position:relative;color:#fff;font-size:26px;line-height:1.2;font-weight:600;letter-spacing:-.02em;overflow-wrap:anywhere}
header .logo{position:relative;max-inline-size:40%;max-block-size:96px;margin-inline-end:16px}
.wifi4eu{display:block;inline-size:100%;block-size:auto}
.ad{overflow:hidden;border-radius:12px}
.ad img,.ad video{display:block;inline-size:100%;block-size:auto;max-block-size:50vh;object-fit:contain}
main{background:var(--surface);padding:24px 24px 32px;flex:1;display:grid;gap:16px;align-content:start}
h1{font-size:22px;line-height:1.3;letter-spacing:-.01em}
h1+p{color:var(--muted);margin-block-start:-10px}
.prose{white-space:pre-wrap;overflow-wrap:anywhere}
form{display:grid;gap:16px}
.field{display:grid;gap:6px}
label{font-size:14px;font-weight:600}
input:not([type=checkbox],[type=radio]),select{inline-size:100%;block-size:54px;padding:0 14px;font-family:inherit;font-size:20px;font-weight:600;border:1px solid var(--edge);border-radius:12px;background:var(--surface);color:var(--text)}
input.code{text-align:center;letter-spacing:.06em;text-transform:uppercase;font-variant-numeric:slashed-zero}
[aria-invalid=true]{border:2px solid var(--danger)!important}
.error{color:var(--danger);font-size:14px;display:flex;gap:8px;align-items:flex-start}
.error::before{content:"!";flex:none;inline-size:18px;block-size:18px;border-radius:50%;background:var(--danger);color:var(--surface);font:700 12px/18px system-ui,sans-serif;text-align:center;margin-block-start:1px}
.note{background:var(--danger-soft);padding:12px 14px;border-radius:12px}
button,.button{display:block;inline-size:100%;min-block-size:50px;padding:12px 16px;border:1px solid transparent;border-radius:12px;background:var(--primary);color:var(--on);font-family:inherit;font-size:16px;font-weight:600;line-height:1.4;text-align:center;text-decoration:none;cursor:pointer}
.second{background:transparent;color:var(--link);border-color:var(--edge)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
a{color:var(--link)}
.check{display:grid;grid-template-columns:24px 1fr;gap:10px;font-weight:400;align-items:start;font-size:15px}
fieldset{border:0;padding:0;display:grid;gap:14px;min-inline-size:0}
legend{padding:0;margin-block-end:14px;font-size:15px;color:var(--soft)}
.check input{inline-size:22px;block-size:22px;margin:1px 0 0;accent-color:var(--primary)}
details{border:1px solid var(--line);border-radius:12px}
summary{padding:12px 14px;cursor:pointer;color:var(--link);font-size:15px}
details div{padding:0 14px 14px;white-space:pre-wrap;overflow-wrap:anywhere;font-size:14px;color:var(--soft);max-block-size:40vh;overflow:auto}
.or{display:flex;align-items:center;gap:12px;color:var(--muted);font-size:14px}
.or::before,.or::after{content:"";flex:1;block-size:1px;background:var(--line)}
.mark{inline-size:56px;block-size:56px;border-radius:50%;background:var(--ok-soft);color:var(--ok);display:grid;place-items:center}
.big{font-size:40px;line-height:1.15;font-weight:600;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.small{font-size:13px;color:var(--muted)}
dl{display:grid;grid-template-columns:auto 1fr;gap:10px 16px;padding-block:14px;border-block:1px solid var(--line);font-size:14px}
dt{color:var(--muted)}
dd{text-align:end;overflow-wrap:anywhere}
bdi,.wanted{overflow-wrap:anywhere}
.wanted{font-size:14px;color:var(--soft)}
`

const rings = Array.from({ length: 10 }, (_, at) => {
  const opacity = Math.round((0.48 - at * 0.045) * 100) / 100
  return html`<circle cx="346" cy="166" r="${(at + 1) * 30}" stroke-opacity="${opacity}"/>`
})

/** The beacon's rings, as at the console's sign-in. */
export const beacon = html`<svg viewBox="0 0 390 208" preserveAspectRatio="xMaxYMid slice" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="1.2">${rings}</g><circle cx="346" cy="166" r="5" fill="currentColor"/></svg>`

export const tick = html`<span class="mark"><svg width="28" height="28" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="m5 12.5 4.5 4.5L19 7.5"/></svg></span>`
