/** What is wrong with the variables that the site is configured with, for the person who set them; `{…}` is filled in. */
export const configTexts = {
  unusable: 'La configuración no se puede usar. Corrige o quita estas variables:\n{faults}',

  /* Behind the name of the variable. */
  whole: 'debe ser un número entero de {min} a {max}',
  origin: 'debe ser http(s)://nombre o http(s)://nombre:puerto, sin nada detrás',
  postgres: 'debe empezar por postgres://',
  purge: 'debe ser http(s)://… o POST http(s)://…',
  header: 'debe ser Nombre: valor',
  json: 'debe ser JSON',
  token: 'debe tener de 20 a 200 caracteres visibles y ningún espacio',
  mailServer: 'debe ser smtp(s)://[usuario:contraseña@]servidor[:puerto]',
  mailAddress: 'debe ser una dirección de correo',
  subject: 'debe ser mailto:… o https://…',
  bucket: 'debe ser http(s)://servidor/depósito o http(s)://depósito.servidor',
  region: 'debe ser un nombre como eu-west-1',
  visible: 'debe tener solo caracteres visibles y ningún espacio',
  rate: 'debe ser <veces>/<segundos>, como 5/600',
  notJson: 'no es JSON',
  notAccount: 'no es una cuenta de servicio: {members} no sirve',
  notPem: 'no es una cuenta de servicio: private_key no es una clave PEM',
  notRsa: 'no es una cuenta de servicio: private_key no es una clave RSA',

  together: '{names} van juntas: están todas o ninguna',
  needs: '{name} necesita {other}',
  exclude: '{name} y {name}_FILE se excluyen: quita una',
  unreadable: '{name}_FILE no se puede leer ({message})',
  noKeyPair: 'VAPID_PUBLIC_KEY y VAPID_PRIVATE_KEY no son un par de claves en base64url',
} as const
