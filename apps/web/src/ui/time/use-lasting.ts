import { useEffect, useState } from 'react';

/** True once the condition has been true for that long without a break. */
export function useLasting(isSo: boolean, durationMs: number): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    if (!isSo) return undefined;
    const timer = setTimeout(() => setHasLasted(true), durationMs);
    return () => {
      clearTimeout(timer);
      setHasLasted(false);
    };
  }, [isSo, durationMs]);
  return isSo && hasLasted;
}
