//! SameGame as the beam sees it.

use super::build::{Build, Look};
use super::expand::Expand;
use super::options::Described;
use super::search::{Move, Position, Search};
use crate::beam::{Children, Game, Node, Scores};
use crate::simd::Isa;

impl<I: Isa, const N: usize, const P: usize, const B: u32, const C: usize>
    Search<'_, I, N, P, B, C>
{
    /// Shows the positions of a game to the observer.
    pub(super) fn show(&mut self, root: Position<N, P, B>, moves: &[Move]) {
        if self.observer.is_none() {
            return;
        }
        let mut position = root;
        let mut shown = vec![(self.layer(&position), self.look(&mut position))];
        for &mv in moves {
            position = self.build(0, &position, mv);
            shown.push((self.layer(&position), self.look(&mut position)));
        }
        if let Some(observer) = &mut self.observer {
            observer.best(shown);
        }
    }

    /// The layer of a position: how many tiles have been removed.
    fn layer(&self, position: &Position<N, P, B>) -> usize {
        (self.first_tiles - position.tiles) as usize
    }

    fn look(&self, position: &mut Position<N, P, B>) -> Described {
        self.isa.enter(Look {
            search: self,
            position,
        })
    }
}

impl<I: Isa, const N: usize, const P: usize, const B: u32, const C: usize> Game
    for Search<'_, I, N, P, B, C>
{
    type State = Position<N, P, B>;
    type Move = Move;

    fn expand(&mut self, _: usize, position: &Self::State, children: &mut Children<Move>) {
        let isa = self.isa;
        isa.enter(Expand {
            search: self,
            position,
            children,
        });
    }

    fn build(&mut self, _: usize, parent: &Self::State, mv: Move) -> Self::State {
        let isa = self.isa;
        isa.enter(Build {
            search: self,
            parent,
            mv,
        })
    }

    fn hash(&self, position: &Self::State) -> u64 {
        position.hash()
    }

    /// Nothing is left to do without a network and an observer: as many are built as may stay, and
    /// they stay in the order of the candidates.
    fn evaluate(&mut self, _: usize, nodes: &mut [Node<Self::State>]) {
        if self.network.is_none() && self.observer.is_none() {
            return;
        }
        let mut shown = Vec::new();
        for node in nodes.iter_mut() {
            let described = self.look(&mut node.state);
            if self.observer.is_some() {
                shown.push(described);
            }
        }
        let layer = nodes.first().map(|node| self.layer(&node.state));
        if let (Some(observer), Some(layer)) = (&mut self.observer, layer) {
            observer.evaluated(layer, shown);
        }
    }

    fn survivors(&mut self, layer: usize, nodes: &[Node<Self::State>]) {
        if let Some(observer) = &mut self.observer {
            let hashes = nodes.iter().map(|node| node.state.hash());
            observer.survived(layer, hashes.collect());
        }
    }

    fn scores(&self, position: &Self::State) -> Scores {
        Scores {
            value: position.rank,
            ..Scores::default()
        }
    }

    fn score(&self, position: &Self::State) -> i64 {
        position.score
    }
}
