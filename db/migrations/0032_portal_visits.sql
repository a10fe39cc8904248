CREATE TABLE `portal_visits` (
	`network` integer NOT NULL,
	`mac` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`network`, `mac`),
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `portal_visits_at` ON `portal_visits` (`network`,`at`);