import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type DefaultTheme, type SiteConfig } from 'vitepress'

const base = process.env.SITE_BASE ?? '/'
const repository = process.env.GITHUB_REPOSITORY

/** The index of a language: its groups ("**Learn** (tutorial)") and what each lists ("- [Text](page.md): about"). */
function index(folder: string) {
  const groups: { text: string; items: { text: string; page: string; about: string }[] }[] = []
  for (const line of readFileSync(join('docs', folder, 'README.md'), 'utf8').split('\n')) {
    const group = line.match(/^\*\*(.+)\*\*( \(.+\))?$/)
    const item = line.match(/^- \[(.+?)\]\((\S+)\)(?:[:：] ?(.*))?$/)
    if (group) groups.push({ text: group[1], items: [] })
    if (item && groups.length) groups.at(-1)!.items.push({ text: item[1], page: item[2], about: item[3] ?? '' })
  }
  return groups
}

const sidebar = (folder: string): DefaultTheme.SidebarItem[] =>
  index(folder).map(({ text, items }) => ({
    text,
    items: items.map(({ text, page }) => ({ text, link: '/' + join(folder, page.replace(/(README)?\.md/, '')) }))
  }))

/** For programs: llms.txt lists the pages, llms-full.txt has them, and each source is next to its page. */
function writeTexts({ outDir, pages }: SiteConfig) {
  cpSync('docs', outDir, { recursive: true })
  const english = pages.filter((page) => !page.startsWith('zh/'))
  writeFileSync(join(outDir, 'llms-full.txt'), english.map((page) => readFileSync(join('docs', page))).join('\n'))
  const list = index('').flatMap(({ text, items }) => [
    `\n## ${text}\n`,
    ...items.map(({ text, page, about }) => `- [${text}](${base}${page}): ${about}`)
  ])
  const about = 'Palmares settles leaderboards: it freezes live boards of Redis, ranks them, pays prizes in PostgreSQL, and verifies.'
  writeFileSync(join(outDir, 'llms.txt'), ['# Palmares\n', '> ' + about, ...list].join('\n') + '\n')
}

export default defineConfig({
  base,
  srcDir: 'docs',
  outDir: 'dist',
  title: 'Palmares',
  description: 'Settles leaderboards, exact to the last credit.',
  rewrites: { 'README.md': 'index.md', 'zh/README.md': 'zh/index.md' },
  locales: {
    root: { label: 'English', lang: 'en' },
    zh: {
      label: '中文',
      lang: 'zh-Hans',
      themeConfig: {
        sidebar: sidebar('zh'),
        outline: { level: [2, 3], label: '本页' },
        docFooter: { prev: '上一页', next: '下一页' }
      }
    }
  },
  themeConfig: {
    i18nRouting: false, // few pages are in both languages
    sidebar: sidebar(''),
    outline: { level: [2, 3] },
    socialLinks: repository ? [{ icon: 'github', link: `https://github.com/${repository}` }] : [],
    search: {
      provider: 'local',
      options: {
        locales: { zh: { translations: { button: { buttonText: '搜索' }, modal: { noResultsText: '没有找到' } } } },
        miniSearch: {
          options: {
            // Chinese has no spaces: its words are found by pairs of characters.
            tokenize: (text) =>
              text
                .split(/[\n\r\p{Z}\p{P}]+/u)
                .flatMap((word) => word.match(/\p{Script=Han}+|\P{Script=Han}+/gu) ?? [])
                .flatMap((part) =>
                  /\p{Script=Han}/u.test(part) ? [...part].map((c, i, all) => c + (all[i + 1] ?? '')) : [part]
                )
          }
        }
      }
    }
  },
  markdown: {
    // Anchors as in the repository's own view, so that a link is right in both.
    anchor: { slugify: (text) => text.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-') },
    config: (md) => {
      const link = md.renderer.rules.link_open!
      md.renderer.rules.link_open = (tokens, i, ...more) => {
        const href = tokens[i].attrGet('href')!
        tokens[i].attrSet('href', href.replace(/(^|\/)README\.md$/, '$1index.md'))
        return link(tokens, i, ...more)
      }
      md.renderer.rules.code_block = (...token) => md.renderer.rules.fence!(...token)
    }
  },
  ignoreDeadLinks: true, // check.mjs follows links, and those to headings, too
  buildEnd: writeTexts
})
