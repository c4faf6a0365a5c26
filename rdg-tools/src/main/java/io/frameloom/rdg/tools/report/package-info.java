/**
 * A compiled frame as one HTML file that needs no network: graph, timelines, memory, barriers, resources and times. It
 * is not part of the render graph, so an engine that ships without reports does not carry the layout library.
 */
@NullMarked
package io.frameloom.rdg.tools.report;

import org.jspecify.annotations.NullMarked;
