const HOUR_MS = 3_600_000;

/** A test that an hour or a day must not end in: tried again where that is why it failed. */
export function withinAnHour(test: () => Promise<void>): () => Promise<void> {
  return async () => {
    for (;;) {
      const hour = hourNow();
      try {
        return await test();
      } catch (error) {
        if (hourNow() === hour) throw error;
      }
    }
  };
}

function hourNow(): number {
  return Math.floor(Date.now() / HOUR_MS);
}
