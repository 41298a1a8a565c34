import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { ConfigProvider, Select } from 'antd';
import { afterEach, expect, test } from 'vitest';
import { Dialog } from './dialog/dialog.tsx';
import { popupContainer } from './popup-container.ts';

afterEach(cleanup);

test('the options of a select in a dialog belong to the dialog and take clicks', async () => {
  render(
    <ConfigProvider getPopupContainer={popupContainer}>
      <Dialog title="绑定">
        <Select aria-label="设备" options={[{ value: 1, label: '书房' }]} />
      </Dialog>
    </ConfigProvider>,
  );
  fireEvent.mouseDown(await screen.findByRole('combobox', { name: '设备' }));
  const option = await screen.findByTitle('书房');

  expect(screen.getByRole('dialog').contains(option)).toBe(true);
  // The component library lets clicks pass through all of a modal dialog but this.
  expect(option.closest('.ant-modal-container')).not.toBeNull();
});
