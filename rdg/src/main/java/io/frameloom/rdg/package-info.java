/**
 * The render graph: declare a frame's passes and resources, compile them into a plan, execute the plan, ask it for
 * reasons.
 *
 * <ol>
 *   <li>{@link io.frameloom.rdg.RenderGraph} takes the resources and passes of one frame. One thread, the render
 *       thread.
 *   <li>{@link io.frameloom.rdg.RenderGraphCompiler} makes a {@link io.frameloom.rdg.FramePlan} of it: order, queues,
 *       barriers, layouts, memory, waits. Any thread. An unchanged graph gets the plan of the frame before.
 *   <li>{@link io.frameloom.rdg.FrameExecutor} executes plans: records passes on workers, submits in the order of the
 *       plan on the submit thread, and keeps some frames in flight. The render thread.
 *   <li>{@link io.frameloom.rdg.FramePlan#explain} and
 *       {@link io.frameloom.rdg.diagnostics.RdgDiagnostics} say why a plan is as it is, and help to find mistakes.
 * </ol>
 *
 * <table>
 * <caption>What can be declared</caption>
 * <tr><th>to say</th><th>there is</th></tr>
 * <tr><td>what a pass uses</td>
 *     <td>{@code reads}, {@code writes}, {@code overwrites}, {@code color}, {@code depth}, {@code stencil} and the
 *     others of {@link io.frameloom.rdg.PassBuilder}; or a record with annotated components
 *     ({@link io.frameloom.rdg.parameter})</td></tr>
 * <tr><td>a mip, layer, plane or range of bytes</td>
 *     <td>{@link io.frameloom.rdg.RdgTexture#mip}, {@link io.frameloom.rdg.RdgTexture#layer},
 *     {@link io.frameloom.rdg.RdgTexture#plane}, {@link io.frameloom.rdg.RdgBuffer#view(long, long)}</td></tr>
 * <tr><td>a part of the render targets</td>
 *     <td>{@link io.frameloom.rdg.PassBuilder#renderArea}; {@link io.frameloom.rdg.PassBuilder#colorSlices} for slices
 *     of a three-dimensional texture</td></tr>
 * <tr><td>a size relative to another</td><td>{@link io.frameloom.rdg.RelativeExtent}</td></tr>
 * <tr><td>constants of a frame</td>
 *     <td>{@link io.frameloom.rdg.RenderGraph#createUniforms(String, java.nio.ByteBuffer)}</td></tr>
 * <tr><td>something of the application's</td>
 *     <td>{@code registerExternal} and its variants of {@link io.frameloom.rdg.RenderGraph};
 *     {@code registerPassthrough} for what is only read and needs no tracking</td></tr>
 * <tr><td>something that outlives the frame</td>
 *     <td>{@code extract} of {@link io.frameloom.rdg.RenderGraph}; {@link io.frameloom.rdg.TextureHistory} and
 *     {@link io.frameloom.rdg.BufferHistory} for what the next frame reads</td></tr>
 * <tr><td>a transient that shares no memory</td><td>{@link io.frameloom.rdg.RenderGraph#neverAlias}</td></tr>
 * <tr><td>writes that may overlap</td><td>{@link io.frameloom.rdg.OverlapGroup}</td></tr>
 * <tr><td>groups of passes</td>
 *     <td>{@link io.frameloom.rdg.RenderGraph#scope(String)} for a label and a time,
 *     {@link io.frameloom.rdg.RenderGraph#flagScope} for flags of all of them</td></tr>
 * <tr><td>an order that no resource gives</td>
 *     <td>{@link io.frameloom.rdg.PassBuilder#after(PassBuilder)}</td></tr>
 * <tr><td>a pass that may be left out</td><td>{@link io.frameloom.rdg.PassBuilder#onlyIf}</td></tr>
 * <tr><td>a pass with many draws</td><td>{@link io.frameloom.rdg.PassBuilder#recordParts}</td></tr>
 * <tr><td>a queue</td>
 *     <td>{@link io.frameloom.rdg.PassFlag#ASYNC_COMPUTE}, {@link io.frameloom.rdg.PassFlag#ASYNC_COPY},
 *     {@link io.frameloom.rdg.PassBuilder#onQueue}</td></tr>
 * <tr><td>work of the host before passes are recorded</td><td>{@link io.frameloom.rdg.RenderGraph#setupTask}</td></tr>
 * <tr><td>work of the host between two passes</td><td>{@link io.frameloom.rdg.RenderGraph#hostPass}</td></tr>
 * <tr><td>a frame of an engine that shares its device</td><td>{@link io.frameloom.rdg.FrameSync}</td></tr>
 * <tr><td>several graphs in one frame</td><td>{@link io.frameloom.rdg.FrameExecutor#beginFrame}</td></tr>
 * <tr><td>what features leave for each other</td><td>{@link io.frameloom.rdg.RenderGraph#blackboard}</td></tr>
 * <tr><td>clears, copies, uploads, readbacks, mips</td><td>{@link io.frameloom.rdg.utility}</td></tr>
 * </table>
 */
@NullMarked
package io.frameloom.rdg;

import org.jspecify.annotations.NullMarked;
