const HOUR_MS = 3_600_000;

/** Repeats a test that failed because an hour or a day ended while it ran. */
export function retryAcrossHours(test: () => Promise<void>): () => Promise<void> {
  return async () => {
    for (;;) {
      const hour = currentHour();
      try {
        return await test();
      } catch (error) {
        if (currentHour() === hour) throw error;
      }
    }
  };
}

function currentHour(): number {
  return Math.floor(Date.now() / HOUR_MS);
}
