import { email, password } from '../fields.ts'
import { passwordLength } from '../limits.ts'
import { fill, lengthOf } from '../text.ts'
import { noLoginTexts } from '../texts/no-login.ts'
import { fieldErrors, texts } from '../texts/site.ts'

export const loginFields = {
  userName: email('Usuario', { autocomplete: 'username' }),
  password: password('Contraseña', { autocomplete: 'current-password' }),
}

export const setupFields = {
  userName: email('Usuario', {
    autocomplete: 'username',
    hint: 'Tu correo: con él inicias sesión.',
  }),
  password: password('Contraseña', {
    autocomplete: 'new-password',
    hint: 'Al menos 12 caracteres. Una frase larga es fácil de recordar.',
  }),
}

/** Why a new password cannot be taken, as far as its length goes; undefined when it can. */
export function newPasswordFault(newPassword: string): string | undefined {
  const length = lengthOf(newPassword)
  if (length < passwordLength.min) return setupTexts.tooShort
  if (length > passwordLength.max) return fill(fieldErrors.tooLong, { n: passwordLength.max })
  return undefined
}

export const loginTexts = {
  title: 'Bienvenido',
  lead: 'Ingrese las credenciales de acceso',
  submit: 'Iniciar sesión',
  keep: 'Mantener la sesión en este dispositivo',
  notKept: 'Iniciaste sesión, pero no se pudo mantener en este dispositivo.',
  or: 'o',
  withKey: 'Entrar con llave de acceso',
  keyUnused: 'No se usó ninguna llave. Prueba otra vez o entra con tu contraseña.',
  showPassword: 'Mostrar contraseña',
  hidePassword: 'Ocultar contraseña',
  recover: '¿Olvidaste tu contraseña?',
  recoverHelp:
    'Para restablecerla, ejecuta en el servidor el comando de cambio de contraseña indicado en la documentación.',
  recoverByMail: 'Escribe tu correo de acceso y te llega un enlace para elegir otra contraseña.',
  recoverSend: 'Enviar enlace',
  needsScript: 'Esta página necesita JavaScript: actívalo en tu navegador.',
  continue: 'Inicia sesión para continuar.',
  /** To whoever sent the form without the application. */
  unsent:
    'No se inició la sesión: la aplicación de esta página no llegó a cargarse. Prueba de nuevo.',
  wrong: 'Credenciales incorrectas.',
  /** Written to the console when the server gave no reason of its own. */
  logged: 'Error occurred during login',
  ...noLoginTexts,
  expired: 'Tu sesión venció. Inicia sesión para guardar los cambios.',
} as const

export const setupTexts = {
  title: texts.setup,
  lead: 'Este enlace funciona una sola vez. Elige con qué credenciales vas a entrar.',
  sample: 'Contenido de muestra',
  keepSample: 'Conservar el contenido de muestra para editarlo',
  dropSample: 'Empezar con el portafolio vacío',
  submit: 'Crear mi acceso',
  resetTitle: 'Elige una contraseña nueva',
  resetLead:
    'Este enlace funciona una sola vez. Las demás sesiones se cerrarán y tus llaves de acceso dejarán de servir.',
  resetSubmit: 'Guardar la contraseña',
  invalidTitle: 'Este enlace ya no sirve',
  invalid:
    'Pudo haberse usado o vencido. Si ya tienes tu acceso, inicia sesión; si no, pide otro enlace en el servidor con «tintero owner».',
  checking: 'Comprobando el enlace…',
  tooShort: 'Usa al menos 12 caracteres.',
  tooCommon: 'Esa contraseña es muy conocida. Elige otra.',
} as const
