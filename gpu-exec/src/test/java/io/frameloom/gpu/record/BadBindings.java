package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.BadCommand.bad;
import static io.frameloom.gpu.record.BadCommandScene.WRITE;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import java.util.List;

/** Bindings and secondary lists that no driver may see. */
final class BadBindings {
    private BadBindings() {}

    static List<BadCommand> bindings() {
        return List.of(
                bad(
                        "dispatch without an element of an array",
                        (s, l) -> {
                            s.computes(l);
                            l.dispatch(1, 1, 1);
                        },
                        "'write'",
                        "'image'"),
                bad(
                        "bindTexture to an element that is not there",
                        (s, l) -> {
                            s.computes(l);
                            l.bindTexture(
                                    "pair",
                                    2,
                                    s.onlySampled.view(),
                                    s.rig.device.sampler(SamplerDescription.NEAREST_CLAMP));
                        },
                        "'pair'",
                        "2 elements"),
                bad(
                        "bindTexture without usage",
                        (s, l) -> {
                            s.computes(l);
                            l.bindTexture(
                                    "pair", s.color.view(), s.rig.device.sampler(SamplerDescription.NEAREST_CLAMP));
                        },
                        "'color'",
                        "SAMPLED"),
                bad(
                        "bindTexture with a sampler of another device",
                        (s, l) -> {
                            s.computes(l);
                            l.bindTexture("pair", s.onlySampled.view(), () -> SamplerDescription.NEAREST_CLAMP);
                        },
                        "another device"),
                bad(
                        "bindStorageTexture of another format",
                        (s, l) -> {
                            s.computes(l);
                            l.bindStorageTexture("image", s.floats.view());
                        },
                        "'floats'",
                        "R8G8B8A8_UNORM"),
                bad(
                        "bindStorageTexture to a buffer",
                        (s, l) -> {
                            s.computes(l);
                            l.bindStorageTexture("Target", s.floats.view());
                        },
                        "'Target'",
                        "STORAGE_BUFFER"),
                bad(
                        "bindBuffer to no name",
                        (s, l) -> {
                            s.computes(l);
                            l.bindBuffer("Tarket", s.target, 0, 4);
                        },
                        "'Tarket'",
                        "Target"),
                bad(
                        "bindBuffer without usage",
                        (s, l) -> {
                            s.computes(l);
                            l.bindBuffer("Target", s.plain, 0, 4);
                        },
                        "'plain'",
                        "STORAGE"),
                bad(
                        "bindPipeline of another device",
                        (s, l) -> l.bindPipeline(s.other.compute("foreign", WRITE, i -> {})),
                        "'foreign'",
                        "another device"),
                bad(
                        "execute of a primary list",
                        (s, l) -> l.execute(List.of(s.rig.frame.beginCommands(s.rig.queue(), "primary"))),
                        "'primary'",
                        "beginSecondary"),
                bad(
                        "execute of an open list",
                        (s, l) ->
                                l.execute(List.of(s.rig.frame.beginSecondary(s.rig.queue(), "open", null, List.of()))),
                        "'open'",
                        "end it first"),
                bad(
                        "execute twice",
                        (s, l) -> {
                            CommandList second = s.rig.frame.beginSecondary(s.rig.queue(), "second", null, List.of());
                            second.end();
                            l.execute(List.of(second));
                            l.execute(List.of(second));
                        },
                        "'second'",
                        "second time"),
                bad(
                        "execute in a render pass with its own commands",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.color));
                            l.execute(List.of());
                        },
                        "withSecondaries"),
                bad(
                        "execute of another render pass's list",
                        (s, l) -> {
                            CommandList second = s.rig.frame.beginSecondary(
                                    s.rig.queue(),
                                    "second",
                                    new RenderingFormats(List.of(Format.R32_UINT), null, null, 1),
                                    List.of());
                            second.end();
                            l.beginRendering(s.rendering(s.color).withSecondaries());
                            l.execute(List.of(second));
                        },
                        "'second'",
                        "R32_UINT"),
                bad(
                        "draw in a render pass of secondary lists",
                        (s, l) -> {
                            l.bindPipeline(s.graphics);
                            l.beginRendering(s.rendering(s.color).withSecondaries());
                            l.draw(3, 1, 0, 0);
                        },
                        "withSecondaries"),
                bad(
                        "bindPipeline in a render pass of secondary lists",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.color).withSecondaries());
                            l.bindPipeline(s.graphics);
                        },
                        "withSecondaries"),
                bad(
                        "draw in a secondary list without a viewport",
                        (s, l) -> {
                            CommandList second = s.rig.frame.beginSecondary(
                                    s.rig.queue(),
                                    "bad list",
                                    s.rendering(s.color).formats(),
                                    List.of());
                            second.bindPipeline(s.graphics);
                            second.bindVertexBuffer(0, s.target, 0);
                            // One that is refused is none.
                            assertThatThrownBy(() -> second.setViewport(0, 0, 0, 8))
                                    .isInstanceOf(IllegalArgumentException.class);
                            second.draw(3, 1, 0, 0);
                        },
                        "setViewport"));
    }
}
