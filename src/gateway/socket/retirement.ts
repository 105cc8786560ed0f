/** When a socket has served long enough: its client opens another one then, and notices nothing. Pure. */

/** How far a socket's life has come. */
export interface SocketAge {
  /** Epoch ms. */
  readonly since: number;
  /** How many responses it has served. */
  readonly responses: number;
  /** Its key proved to be made here. */
  readonly proven: boolean;
  /** So much may be unread that nothing more should be sent. */
  readonly isFull: boolean;
  /** The process is about to end. */
  readonly isDraining: boolean;
  /** On the platform a socket is one request, whose calls of other services are bounded. */
  readonly isHosted: boolean;
}

/** As at OpenAI. */
const longestLife = 60 * 60 * 1000;
/** A key that proves nothing is refused at the first message. */
const strangersLife = 60 * 1000;
/** A response takes up to eight of a thousand calls. */
const mostHostedResponses = 100;

/** Whether the socket should end as soon as no response runs. */
export function isOver(age: SocketAge, now: number): boolean {
  const life = age.proven ? longestLife : strangersLife;
  return (
    age.isDraining ||
    age.isFull ||
    now - age.since >= life ||
    (age.isHosted && age.responses >= mostHostedResponses)
  );
}
