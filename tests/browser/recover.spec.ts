import { loginFields, loginTexts, setupFields, setupTexts } from '#contract/access/login.ts'
import { recoverCall } from '#contract/access/recover.ts'
import { mailTexts } from '#contract/texts/mail.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { faultsInEveryLook } from '#tests/support/axe.ts'
import { answer } from '#tests/support/answers.ts'
import { expect, logOut, logOutButton, test, throughReload } from '#tests/support/browser.ts'
import { logInByForm } from '#tests/support/login-form.ts'
import { test as mailing } from '#tests/support/mailing-site.ts'
import { owner as credentials } from '#tests/support/site.ts'

mailing(
  'the link that comes by mail opens the site with another password, once',
  async ({ visitor, site, smtp, watch }) => {
    watch.expect(/401|404|could not|Credenciales/)
    await visitor.goto('/login')
    await visitor.getByText(loginTexts.recover).click()
    const form = visitor.locator('form', { hasText: loginTexts.recoverByMail })
    await form.getByLabel(loginFields.userName.label).fill(credentials.userName)
    await form.getByRole('button', { name: loginTexts.recoverSend }).click()
    await expect(form.getByRole('status')).toHaveText(mailTexts.resetAsked)
    await expect.poll(() => smtp.mails.length).toBe(1)
    const [mail] = smtp.mails
    expect(mail?.to).toEqual([credentials.userName])
    const link = /http:\/\/localhost:\d+\/configurar#[\w-]+/.exec(mail?.text ?? '')?.[0] ?? ''
    expect(link).toContain(site.url)

    await visitor.goto('about:blank')
    await visitor.goto(link)
    await expect(visitor.getByText(setupTexts.resetLead)).toBeVisible()
    const password = 'otra frase larga y propia'
    await visitor.getByLabel(setupFields.password.label, { exact: true }).fill(password)
    const submit = visitor.getByRole('button', { name: setupTexts.resetSubmit })
    await throughReload(visitor, () => submit.click())
    await expect(logOutButton(visitor)).toBeVisible()

    await visitor.goto('about:blank')
    await visitor.goto(link)
    await expect(visitor.getByText(setupTexts.invalidTitle)).toBeVisible()
    await visitor.goto('/')
    await logOut(visitor)
    await visitor.goto('/login')
    await logInByForm(visitor)
    await expect(visitor.getByText(loginTexts.wrong).first()).toBeVisible()
    await logInByForm(visitor, password)
    await expect(logOutButton(visitor)).toBeVisible()
  },
)

test('a link for a new password is asked for, without fault in any look', async ({ visitor }) => {
  const sent: unknown[] = []
  await visitor.route(`**/api/${recoverCall}`, (route) => {
    if (route.request().method() === 'GET') return answer(route, { byMail: true })
    sent.push(route.request().postDataJSON())
    return answer(route, { mensaje: mailTexts.resetAsked }, 202)
  })
  await visitor.goto('/login')
  await visitor.getByText(loginTexts.recover).click()
  const form = visitor.locator('form', { hasText: loginTexts.recoverByMail })
  await form.getByRole('button', { name: loginTexts.recoverSend }).click()
  await expect(form.getByText(fieldErrors.required)).toBeVisible()
  await form.getByLabel(loginFields.userName.label).fill('lucia@ejemplo.test')
  await form.getByRole('button', { name: loginTexts.recoverSend }).click()
  await expect(form.getByRole('status')).toHaveText(mailTexts.resetAsked)
  expect(sent).toEqual([{ userName: 'lucia@ejemplo.test' }])
  expect(await faultsInEveryLook(visitor)).toEqual([])
})
