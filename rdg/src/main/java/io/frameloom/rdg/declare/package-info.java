/** What a graph has declared: passes, uses, resources, scopes; and what a frame binds to its plan. */
@NullMarked
package io.frameloom.rdg.declare;

import org.jspecify.annotations.NullMarked;
