CREATE TABLE `dashboards` (
	`account` integer NOT NULL,
	`network` integer NOT NULL,
	`tiles` text NOT NULL,
	PRIMARY KEY(`account`, `network`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
