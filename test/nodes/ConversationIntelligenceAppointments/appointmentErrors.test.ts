import { INPUT_ERRORS } from '../../../nodes/ConversationIntelligenceAppointments/appointmentErrors';
import { fieldError } from '../../../nodes/ConversationIntelligenceAppointments/mapping/values';

test.each(Object.keys(INPUT_ERRORS) as Array<keyof typeof INPUT_ERRORS>)(
	'the texts of %s name the field or the value, and say what to do',
	(code) => {
		const { message, description, details } = fieldError(code, 'Some Field', '{value}\n');
		expect(message).toMatch(/Some Field|"\{value\}\\n"/);
		expect(description).toMatch(/\.$/);
		expect(`${message} ${description}`).not.toMatch(/\{(?!value\}\\n|"region"|\{ 1234\.5 \}\}| 1234)/);
		expect(details).toEqual({ code, retryable: false, field: 'Some Field' });
	},
);
