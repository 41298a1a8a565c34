import { useState } from 'react';
import { Announcements } from './features/announcements/announcements.tsx';
import { ConsoleLayout } from './features/layout/console-layout.tsx';

/** The index layout of the specification: the frame around its children, and the announcements over it. */
export function Console() {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <ConsoleLayout onShowAnnouncements={() => setIsAsked(true)}>
      <Announcements isAsked={isAsked} onClose={() => setIsAsked(false)} />
    </ConsoleLayout>
  );
}
