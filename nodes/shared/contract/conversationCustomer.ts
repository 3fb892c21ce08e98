import { z } from 'zod';

/** Address from the linked CRM location; each part may be null (D1 § ConversationCustomer). */
export const customerAddressSchema = z
	.object({
		street: z.string().nullable(),
		unit: z.string().nullable(),
		city: z.string().nullable(),
		state: z.string().nullable(),
		zip: z.string().nullable(),
		country: z.string().nullable(),
	})
	.passthrough();
export type CustomerAddress = z.infer<typeof customerAddressSchema>;

/** The customer of a conversation (D1 § ConversationCustomer). */
export const conversationCustomerSchema = z
	.object({
		name: z.string().nullable(),
		email: z.string().nullable(),
		phone: z.string().nullable(),
		address: customerAddressSchema,
	})
	.passthrough();
export type ConversationCustomer = z.infer<typeof conversationCustomerSchema>;
