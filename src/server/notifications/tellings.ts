/*
 * How often the owner's devices were told of one thing, as a number: less by one each time as long as none of them took
 * the notification, 1 once one did.
 */

/** How often, when none of them takes it. */
const mostTellings = 3

/** Whether they are to be told of it, once more perhaps. */
export function isUntold(told: number): boolean {
  return told <= 0 && told > -mostTellings
}
