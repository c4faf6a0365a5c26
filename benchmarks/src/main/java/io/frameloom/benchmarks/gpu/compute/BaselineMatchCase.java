package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.benchmarks.alternatives.StackMonoid2021;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.compute.BracketInput;
import io.frameloom.gpu.resource.Buffer;

/** The matching of 2021, of words. */
final class BaselineMatchCase extends DeviceCase {
    private final Inputs.Brackets brackets;
    private final StackMonoid2021 match;
    private final Buffer input;
    private final Buffer links;
    private final Buffer slices;
    private final Buffer states;

    BaselineMatchCase(Workbench bench, int partition, Inputs.Brackets brackets, long length) {
        super(bench, subject(partition, brackets), length);
        this.brackets = brackets;
        match = bench.own(new StackMonoid2021(bench.device, partition));
        input = bench.storage("input", length * Integer.BYTES);
        links = bench.storage("links", length * Integer.BYTES);
        slices = bench.storage("slices", match.sliceBytes(length));
        states = bench.storage("states", match.stateBytes(length));
    }

    static Subject subject(int partition, Inputs.Brackets brackets) {
        return new Subject(
                "match",
                MatchCase.title(BracketInput.WORDS),
                "2021 post, workgroups of " + partition,
                brackets.title());
    }

    @Override
    long bytes() {
        return 2 * length * Integer.BYTES;
    }

    @Override
    void record(CommandList list) {
        match.record(list, length, input, links, slices, states);
    }

    @Override
    String check() {
        bench.fill(input, length, index -> MatchCase.word(BracketInput.WORDS, brackets, length, index));
        for (Buffer buffer : new Buffer[] {links, slices, states}) {
            bench.poison(buffer);
        }
        bench.execute(this::record);
        return compare("match", links, length, new MatchCase.Expected(brackets, length));
    }
}
