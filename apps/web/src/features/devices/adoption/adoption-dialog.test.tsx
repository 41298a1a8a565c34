import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { deviceOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { adoptionText } from '../../../text/devices/adoption.ts';
import { ConfirmProvider } from '../../confirm/confirm-provider.tsx';
import { AdoptionDialog } from './adoption-dialog.tsx';

afterEach(cleanup);

const preview = 'GET /api/user/routers/{id}/adoption/';
const adopt = 'POST /api/user/routers/{id}/adoption/';
const found = {
  ...{ mappings: 2, cloud_apps: 0, members: 0, share_links: 0, allow_list: 0, plan: null },
  candidates: [{ id: 2, name: '新的', online: true, reasons: ['host_name'], plan: null }],
};

test('the preview of a device is not asked for again once the device is adopted and so deleted', async () => {
  const onClose = vi.fn<() => void>();
  const adopted = Promise.withResolvers<unknown>();
  const calls = show(
    <ConfirmProvider>
      <AdoptionDialog device={deviceOf({ id: 1 })} successorId={2} onClose={onClose} />
    </ConfirmProvider>,
    { [preview]: () => found, [adopt]: () => adopted.promise },
  );
  await screen.findByText(adoptionText.moves);

  fireEvent.click(screen.getByRole('button', { name: adoptionText.confirm }));

  await waitFor(() => expect(document.querySelector('.ant-btn-loading')).not.toBeNull());
  adopted.resolve({ ok: true });

  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(calls.map(({ key }) => key)).toEqual([preview, adopt]);
});
