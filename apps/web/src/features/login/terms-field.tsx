import { Button, Checkbox, Form, type FormInstance } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { loginText } from '../../text/login.ts';
import styles from './login.module.css';

const TermsDialog = lazy(async () => ({ default: (await import('./terms-dialog.tsx')).TermsDialog }));

/** A checkbox to accept the terms, with a link to them. */
export function TermsField({ form }: { form: FormInstance }) {
  const [isOpen, setIsOpen] = useState(false);
  function agree() {
    form.setFieldValue('accepted_terms', true);
    void form.validateFields(['accepted_terms']);
    setIsOpen(false);
  }
  return (
    <Form.Item className={styles.termsItem ?? ''}>
      <Form.Item
        name="accepted_terms"
        valuePropName="checked"
        noStyle
        rules={[
          {
            validator: (_rule, isAccepted: boolean) =>
              isAccepted ? Promise.resolve() : Promise.reject(new Error(loginText.mustAgree)),
          },
        ]}
      >
        <Checkbox>{loginText.agree}</Checkbox>
      </Form.Item>
      {/* Beside the checkbox, not in its label: opening the terms must not tick it. */}
      <Button type="link" size="small" className={styles.termsLink ?? ''} onClick={() => setIsOpen(true)}>
        {loginText.terms}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <TermsDialog isOpen={isOpen} onClose={() => setIsOpen(false)} onAgree={agree} />
        </Suspense>
      )}
    </Form.Item>
  );
}
