import { AppError, type FrpWire } from '@tongtu/contract';
import { isPassing } from '../control/passing-refusal.ts';

/** How far the clock of a device may be from ours. A recorded login that the relay has never seen is of use for as long. */
const TOLERANCE_SECONDS = 300;
/** NTP corrects a clock by less all the time. */
const SET_BACK_SECONDS = 30;
/** Times that are too old to be used again are forgotten when there are more than this, and than twice those that are not. */
const MIN_CROWD = 4_096;

export type LoginTime = { deviceId: number; timestamp: number; wire: FrpWire };
/** Of the clock of a device, as its login has it. */
export type ClockState = 'right' | 'ahead' | 'behind';

export type LoginTimesDeps = {
  /** Has the server accept the login, or only use it up if its time is still to come. Throws AppError. */
  claim: (login: LoginTime & { isAhead?: true }) => Promise<void>;
  /** Reports to the server that a device must not use wire v1 from now on. False when it is away. */
  reportProven: (deviceId: number) => boolean;
  wallClockMs: () => number;
};

/**
 * The times with which frpc logs in. The key of a login covers the token and the time, and nothing of the connection, so
 * that a client that has seen a login can send it again: each device may use a time once, and none before its last one.
 */
export class LoginTimes {
  readonly #deps: LoginTimesDeps;
  /** The last ones that were accepted here, by device. */
  readonly #accepted = new Map<number, number>();
  /** Accepted while the server was away. */
  readonly #unstored = new Map<number, LoginTime>();
  /** The tokens that were proven here by wire v2, by device. */
  readonly #proven = new Map<number, string>();
  /** Proven while the server was away. */
  readonly #unreported = new Set<number>();
  readonly #startedSeconds: number;
  #crowd = MIN_CROWD;

  constructor(deps: LoginTimesDeps) {
    this.#deps = deps;
    this.#startedSeconds = this.#nowSeconds;
  }

  clockOf(timestamp: number): ClockState {
    const difference = timestamp - this.#nowSeconds;
    if (Math.abs(difference) <= TOLERANCE_SECONDS) return 'right';
    return difference > 0 ? 'ahead' : 'behind';
  }

  /** Whether the clock of the device was set back since its last login here. */
  isSetBack({ deviceId, timestamp }: Omit<LoginTime, 'wire'>): boolean {
    return timestamp < (this.#accepted.get(deviceId) ?? timestamp) - SET_BACK_SECONDS;
  }

  /** A login whose time is still to come must not be of use then. False when the server did not note it. */
  async useUp(login: LoginTime): Promise<boolean> {
    try {
      await this.#deps.claim({ ...login, isAhead: true });
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  /** Accepts a login with a time near ours whose key is right for the token, or returns why not. */
  async claim(login: LoginTime, token: string): Promise<AppError | undefined> {
    if (!this.#isNewer(login)) return new AppError('frpc.login-repeated');
    // The server says the same, unless it is away.
    if (login.wire === 'v1' && this.#proven.get(login.deviceId) === token) return new AppError('frpc.wire-v1');
    try {
      await this.#deps.claim(login);
      this.#note(login);
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return isPassing(error) ? this.#claimAlone(login) : error;
    }
  }

  /** The server accepted it when it made the device. */
  noteAccepted({ deviceId, timestamp }: Omit<LoginTime, 'wire'>): void {
    this.#note({ deviceId, timestamp });
  }

  /** A device has proven by wire v2 that it has this token. */
  noteProven(deviceId: number, token: string): void {
    this.#proven.set(deviceId, token);
    if (!this.#deps.reportProven(deviceId)) this.#unreported.add(deviceId);
  }

  /** Sends the server what was accepted and proven without it. */
  resend(): void {
    for (const deviceId of this.#unreported) if (this.#deps.reportProven(deviceId)) this.#unreported.delete(deviceId);
    for (const [deviceId, login] of this.#unstored) {
      // If the server is away again, the next hello sends it; a refusal means that it knows a later one.
      this.#deps.claim(login).then(
        () => this.#forgetStored(deviceId, login),
        (error: unknown) => {
          if (error instanceof AppError && error.code === 'frpc.login-repeated') this.#forgetStored(deviceId, login);
        },
      );
    }
  }

  /** What was accepted before this process started is not known here, so only later times can be new. */
  #claimAlone(login: LoginTime): AppError | undefined {
    const { deviceId, timestamp } = login;
    const isLater = this.#accepted.has(deviceId) || timestamp > this.#startedSeconds + TOLERANCE_SECONDS;
    if (!isLater) return new AppError('server.unavailable');
    // Another login may have been accepted meanwhile.
    if (!this.#isNewer(login)) return new AppError('frpc.login-repeated');
    this.#note(login);
    this.#unstored.set(deviceId, login);
    return undefined;
  }

  #isNewer({ deviceId, timestamp }: Omit<LoginTime, 'wire'>): boolean {
    return timestamp > (this.#accepted.get(deviceId) ?? Number.NEGATIVE_INFINITY);
  }

  #note({ deviceId, timestamp }: Omit<LoginTime, 'wire'>): void {
    if (this.#accepted.size >= this.#crowd) this.#forgetOld();
    if (this.#isNewer({ deviceId, timestamp })) this.#accepted.set(deviceId, timestamp);
  }

  #forgetOld(): void {
    const oldest = this.#nowSeconds - TOLERANCE_SECONDS;
    for (const [deviceId, timestamp] of this.#accepted) if (timestamp < oldest) this.#accepted.delete(deviceId);
    this.#crowd = Math.max(MIN_CROWD, 2 * this.#accepted.size);
  }

  #forgetStored(deviceId: number, login: LoginTime): void {
    if (this.#unstored.get(deviceId) === login) this.#unstored.delete(deviceId);
  }

  get #nowSeconds(): number {
    return Math.floor(this.#deps.wallClockMs() / 1_000);
  }
}
