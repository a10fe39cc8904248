CREATE TABLE `portal_passwords` (
	`portal` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`since` integer NOT NULL,
	`told` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`portal`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
-- Data per day and month have a unit of their own.
UPDATE `documents`
SET `data` = json_remove(json_set(`data`, '$.dailyData', (`data` ->> '$.dailyMegabytes') || ' MB'), '$.dailyMegabytes')
WHERE `kind` = 'portal' AND CASE WHEN json_valid(`data`) THEN json_type(`data`, '$.dailyMegabytes') = 'integer' END;
--> statement-breakpoint
UPDATE `documents`
SET `data` = json_remove(json_set(`data`, '$.monthlyData', (`data` ->> '$.monthlyMegabytes') || ' MB'), '$.monthlyMegabytes')
WHERE `kind` = 'portal' AND CASE WHEN json_valid(`data`) THEN json_type(`data`, '$.monthlyMegabytes') = 'integer' END;
