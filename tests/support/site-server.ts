import { createHttpServer } from '#server/edge/listener.ts'
import { securityHeaders } from '#server/edge/security-headers.ts'
import { parseTemplate } from '#server/pages/template.ts'
import { serve } from '#server/serve.ts'
import { createSite } from '#server/site.ts'
import { pageTemplate } from './page-template.ts'

/* The product from the sources with pages that are nothing but their data: for tests of several processes. */

await serve(async (parts) => {
  const template = parseTemplate(pageTemplate)
  const { publicUrl } = parts.config
  const site = createSite(parts, {
    headers: securityHeaders({ template: pageTemplate, publicUrl }),
    statics: { find: () => undefined },
    styles: template.styles,
    formStyles: template.formStyles,
    drawing: () => ({
      template,
      render: async ({ data }) => ({ status: 200, app: JSON.stringify(data), state: '{}' }),
    }),
    keep: true,
  })
  return createHttpServer(site)
})
