/** Every refusal the server knows: code → status, English title and the Spanish sentence a person reads. */
export const problems = {
  'json-no-valido': [400, 'Malformed JSON', 'El contenido enviado no es JSON válido.'],
  'peticion-no-valida': [400, 'Bad request', 'La petición no es válida.'],
  'categoria-no-valida': [400, 'Unknown image category', 'Categoría no válida'],
  'credenciales-incorrectas': [401, 'Wrong credentials', 'Credenciales incorrectas.'],
  'sesion-requerida': [401, 'Session required', 'Tu sesión venció. Inicia sesión para continuar.'],
  prohibido: [403, 'Forbidden', 'No tienes permiso para hacer esto.'],
  'no-encontrado': [404, 'Not found', 'No se encontró lo que buscas.'],
  'metodo-no-permitido': [405, 'Method not allowed', 'Esta operación no existe aquí.'],
  'en-curso': [409, 'In progress', 'Este cambio ya se está guardando.'],
  'ya-existe': [409, 'Already exists', 'Ya existe un elemento con ese identificador.'],
  'dispositivo-quitado': [
    410,
    'Device removed',
    'Este dispositivo se quitó de la lista. Activa los avisos en él para recibirlos otra vez.',
  ],
  'version-cambiada': [412, 'Version changed', 'Este elemento cambió en otro dispositivo.'],
  'demasiado-grande': [413, 'Too large', 'Lo enviado es demasiado grande.'],
  'imagen-demasiado-grande': [413, 'Image too large', 'La imagen supera 10 MB.'],
  'tipo-no-admitido': [415, 'Unsupported type', 'Ese tipo de contenido no se admite.'],
  'imagen-no-admitida': [
    415,
    'Unsupported image',
    'Formato no admitido. Usa .jpg, .jpeg, .png o .svg.',
  ],
  'demasiados-dispositivos': [
    409,
    'Too many devices',
    'Ya hay demasiados dispositivos con avisos. Quita uno para agregar este.',
  ],
  'demasiadas-llaves': [
    409,
    'Too many passkeys',
    'Ya hay demasiadas llaves de acceso. Quita una para añadir otra.',
  ],
  'ultima-copia': [
    409,
    'Last good backup',
    'Es la última copia buena, así que se queda. Haz otra antes de eliminarla.',
  ],
  'llave-no-valida': [422, 'Unusable passkey', 'Esa llave no se pudo añadir. Prueba otra vez.'],
  'datos-no-validos': [422, 'Invalid data', 'Revisa los campos marcados.'],
  'clave-reutilizada': [422, 'Key reused', 'Esa clave ya se usó con otro contenido.'],
  'imagen-danada': [422, 'Broken image', 'La imagen está dañada o incompleta. Prueba con otra.'],
  'imagen-enorme': [
    422,
    'Image has too many pixels',
    'La imagen tiene demasiados píxeles. Usa una de hasta 40 megapíxeles.',
  ],
  'imagen-perdida': [422, 'Image gone', 'La imagen ya no está en el sitio. Elige otra.'],
  'svg-no-admitido': [
    422,
    'Unsafe SVG',
    'El SVG tiene partes que no se admiten. Expórtalo de nuevo sin entidades.',
  ],
  'svg-complejo': [
    422,
    'SVG too complex',
    'El SVG es demasiado complejo. Simplifícalo o expórtalo como .png.',
  ],
  'nombre-no-valido': [422, 'Invalid storage name', 'El nombre del archivo no es válido.'],
  'demasiados-intentos': [
    429,
    'Too many attempts',
    'Demasiados intentos. Prueba de nuevo en unos minutos.',
  ],
  'error-interno': [500, 'Internal error', 'Ocurrió un error inesperado. Prueba de nuevo.'],
  mantenimiento: [
    503,
    'Read-only for maintenance',
    'El sitio está en mantenimiento y por ahora no guarda cambios.',
  ],
  'no-disponible': [503, 'Unavailable', 'El servidor está ocupado. Prueba de nuevo en un momento.'],
  'sin-espacio': [507, 'Insufficient storage', 'El servidor no tiene espacio. No se guardó nada.'],
} as const satisfies Readonly<Record<string, readonly [number, string, string]>>

export type ProblemCode = keyof typeof problems

/** The body of every refusal (RFC 9457 with the product's own members). */
export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ProblemCode
  readonly mensaje: string
  readonly instance: string
  readonly errors?: readonly { readonly pointer: string; readonly mensaje: string }[]
  /** The server's row, with its `LastChange` as `changed`, when the version sent is no longer the current one. */
  readonly current?: unknown
}
