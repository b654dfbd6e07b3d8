/** What is said of a value that is no free text; it travels with the code that checks such values. */
export const valueErrors = {
  color: 'Escribe el color con seis cifras hexadecimales.',
  number: 'Escribe un número entero de {min} a {max}.',
  date: 'Escribe una fecha que exista, por ejemplo 2026-12-31.',
} as const
