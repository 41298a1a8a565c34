import { App as AntApp } from 'antd';
import { DeletionNotice } from './features/account/account-data/deletion-notice.tsx';
import { Announcements } from './features/announcements/announcements.tsx';
import { ConfirmProvider } from './features/confirm/confirm-provider.tsx';
import { ConsoleLayout } from './features/layout/console-layout.tsx';
import { PaletteButton } from './features/palette/palette-button.tsx';
import { usePrefetchedScreens } from './routing/screens.ts';
import { QuestionProvider } from './ui/dialog/question-provider.tsx';

/** The index layout of the specification: the frame around its children, and the announcements over it. */
export function Console() {
  usePrefetchedScreens();
  return (
    // Messages and confirmations live here and not around the router, so the login screen loads without them.
    <AntApp message={{ maxCount: 3 }}>
      <QuestionProvider>
        <ConfirmProvider>
          <ConsoleLayout notice={<DeletionNotice />} tools={<PaletteButton />}>
            <Announcements />
          </ConsoleLayout>
        </ConfirmProvider>
      </QuestionProvider>
    </AntApp>
  );
}
