import { test as base } from './browser.ts'
import { freePort } from './free-port.ts'
import { openSite } from './site.ts'
import { openSmtp, type SmtpDouble } from '../doubles/smtp-double.ts'

/** The product's test on a site that sends its mail to a server on this machine. */
export const test = base.extend<{ smtp: SmtpDouble }>({
  smtp: async ({}, provide) => {
    const smtp = await openSmtp()
    await provide(smtp)
    smtp.close()
  },
  site: async ({ smtp }, provide) => {
    const port = await freePort()
    const site = await openSite({
      env: { PORT: String(port), SMTP_URL: smtp.url, PUBLIC_URL: `http://localhost:${port}` },
    })
    await provide(site)
    await site.close()
  },
})
